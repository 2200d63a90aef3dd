import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelAccess, ModelAccessRequest, Spending } from "@muster/schema";
import { type Gateway, type GatewayOptions, startGateway } from "../src/gateway.ts";
import type { GatewaySessions, SessionAccount, WireRequest, WireSettlement } from "../src/ports.ts";

export const noneSpent: Spending = {
  requests: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  listNanoUsd: 0,
};

/** Sessions as a small log in memory: what the gateway tells is kept in order. */
export class TestSessions implements GatewaySessions {
  readonly accounts = new Map<string, SessionAccount>();
  readonly nativeIds = new Map<string, string>();
  readonly told: { what: "began" | "settled" | "warned" | "stopped"; sessionId: string; value: unknown }[] = [];
  #onTold: (() => void)[] = [];
  beforeBegan: () => Promise<void> = async () => {};

  add(sessionId: string, account: Partial<SessionAccount> = {}): void {
    this.accounts.set(sessionId, { limits: {}, spent: noneSpent, ...account });
  }

  account(sessionId: string): SessionAccount | undefined {
    return this.accounts.get(sessionId);
  }

  byNativeId(agent: string, nativeId: string): string | undefined {
    return this.nativeIds.get(`${agent} ${nativeId}`);
  }

  nativeIdOf(sessionId: string): string | undefined {
    const [key] = [...this.nativeIds].find(([, owner]) => owner === sessionId) ?? [];
    return key?.split(" ")[1];
  }

  async began(sessionId: string, value: WireRequest): Promise<void> {
    await this.beforeBegan();
    this.#tell("began", sessionId, value);
  }

  settled(sessionId: string, value: WireSettlement): void {
    this.#tell("settled", sessionId, value);
  }

  warned(sessionId: string, value: unknown): void {
    this.#tell("warned", sessionId, value);
  }

  stopped(sessionId: string, value: unknown): void {
    this.#tell("stopped", sessionId, value);
  }

  of(what: TestSessions["told"][number]["what"]): TestSessions["told"] {
    return this.told.filter((one) => one.what === what);
  }

  settlements(): WireSettlement[] {
    return this.of("settled").map(({ value }) => value as WireSettlement);
  }

  /** Resolves when so many of this were told. */
  async until(what: TestSessions["told"][number]["what"], count: number): Promise<void> {
    while (this.of(what).length < count) {
      await new Promise<void>((resolve) => {
        this.#onTold.push(resolve);
      });
    }
  }

  #tell(what: TestSessions["told"][number]["what"], sessionId: string, value: unknown): void {
    this.told.push({ what, sessionId, value });
    for (const wake of this.#onTold.splice(0)) wake();
  }
}

export interface Kit {
  readonly folder: string;
  readonly sessions: TestSessions;
  readonly logged: string[];
  readonly gateway: Gateway;
  /** Resolves when the log has a line with this in it. */
  logs(part: string): Promise<string>;
  access(asked?: Partial<ModelAccessRequest>): ModelAccess;
  close(): Promise<void>;
}

export async function startKit(options: Partial<GatewayOptions> = {}, keptFolder?: string): Promise<Kit> {
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), "gateway-")));
  const sessions = (options.sessions as TestSessions | undefined) ?? new TestSessions();
  const logged: string[] = [];
  let wake: (() => void)[] = [];
  const gateway = await startGateway({
    sessions,
    ledgerFile: join(folder, "ledger.jsonl"),
    env: {},
    log: (level, message, fields) => {
      logged.push(`${level} ${message}${fields ? ` ${JSON.stringify(fields)}` : ""}`);
      for (const one of wake.splice(0)) one();
    },
    ...options,
  });
  return {
    folder,
    sessions,
    logged,
    gateway,
    logs: async (part) => {
      for (;;) {
        const line = logged.find((one) => one.includes(part));
        if (line !== undefined) return line;
        await new Promise<void>((resolve) => {
          wake = [...wake, resolve];
        });
      }
    },
    access: (asked = {}) => {
      const base: ModelAccessRequest = {
        agent: "claude",
        provider: "anthropic",
        holder: { sessionId: "s1" },
        own: {},
        found: {},
      };
      return gateway.access({ ...base, ...asked });
    },
    close: async () => {
      await gateway.close();
      if (keptFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** Asks over a real connection; `pieces` are written one after the other, each in a write of its own. */
export async function ask(
  url: string,
  {
    method = "POST",
    headers = {},
    pieces = [],
  }: { method?: string; headers?: Record<string, string>; pieces?: Buffer[] } = {},
): Promise<Answer> {
  return readAnswer(await begin(url, { method, headers, pieces }));
}

export function begin(
  url: string,
  {
    method = "POST",
    headers = {},
    pieces = [],
  }: { method?: string; headers?: Record<string, string>; pieces?: Buffer[] },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: false }, resolve);
    call.on("error", reject);
    call.setNoDelay(true);
    const next = (at: number) => {
      const piece = pieces[at];
      if (piece === undefined) call.end();
      else call.write(piece, () => setImmediate(() => next(at + 1)));
    };
    next(0);
  });
}

export async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let isCut = false;
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
  } catch {
    isCut = true;
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks), isCut };
}

export function jsonPieces(body: unknown): Buffer[] {
  return [Buffer.from(JSON.stringify(body))];
}
