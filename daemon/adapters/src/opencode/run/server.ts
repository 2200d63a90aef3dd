import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { settlesWithin } from "@muster/core";
import { sendSignal } from "@muster/node";
import { AgentStartFailure } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { type SupervisedProcess, startProcess } from "../../process/supervised-process.ts";
import { Demultiplexer, type ServerProtocol } from "../../shared-server/demultiplexer.ts";
import { ServerLog } from "../../shared-server/server-log.ts";
import type { SharedServer } from "../../shared-server/shared-servers.ts";
import { eventOf } from "../wire/native.ts";
import { EventStream } from "./event-stream.ts";
import { OpencodeHttp } from "./http.ts";
import { isIdle, rereadLines } from "./reread.ts";
import { protocol as firstProtocol } from "./routing.ts";

export interface ServerOptions {
  program: string;
  /** Where the server itself stands; sessions work in directories of their own. */
  directory: string;
  env: Readonly<Record<string, string>>;
  /** The next port to try. */
  choosePort?: () => Promise<number>;
  connect?: (base: string, password: string) => OpencodeHttp;
  protocol?: ServerProtocol;
  startMs?: number;
}

/** A start that failed is tried again after these pauses: another program may have taken the port in between. */
const pausesMs = [0, 200, 1_000, 3_000];

/** Starts `opencode serve`. Resolves when it answers and its event stream is open. */
export async function startServer(host: AgentHost, options: ServerOptions): Promise<OpencodeServer> {
  for (let attempt = 0; ; attempt++) {
    await sleep(pausesMs[attempt]);
    try {
      return await start(host, options);
    } catch (error) {
      const isLast = attempt + 1 === pausesMs.length;
      if (isLast || !(error instanceof AgentStartFailure) || error.type !== "process_exited") throw error;
      host.log("warn", "opencode serve did not start and is tried again", { attempt, error: error.message });
    }
  }
}

async function start(host: AgentHost, options: ServerOptions): Promise<OpencodeServer> {
  const {
    program,
    directory,
    env,
    choosePort = freePort,
    startMs = 120_000,
    connect = connectTo,
    protocol = firstProtocol,
  } = options;
  const password = randomBytes(24).toString("base64url");
  const port = await choosePort();
  const supervised = await startProcess(host, {
    agent: "opencode",
    command: program,
    args: ["serve", "--port", String(port), "--hostname", "127.0.0.1"],
    directory,
    // Version 2 has another name for it.
    env: { ...env, OPENCODE_SERVER_PASSWORD: password, OPENCODE_PASSWORD: password },
  });
  try {
    const base = await waitForListening(supervised, startMs);
    const http = connect(base, password);
    await waitForAnswer(http, supervised, startMs);
    const server = new OpencodeServer(host, { supervised, http, protocol });
    await server.open(startMs);
    return server;
  } catch (error) {
    await supervised.end({ graceMs: 0 });
    throw error;
  }
}

function connectTo(base: string, password: string): OpencodeHttp {
  return new OpencodeHttp(base, password);
}

/** Before this line the port takes connections and never answers them. */
async function waitForListening(supervised: SupervisedProcess, startMs: number): Promise<string> {
  let said = "";
  const line = new Promise<string>((resolve) => {
    supervised.output.read((chunk) => {
      if (said.length > 64 * 1024) return;
      said += chunk.toString("utf8");
      const url = /listening on (http:\/\/\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const exited = supervised.exited.then(({ exitCode, signal }) => {
    const how = signal === null ? `with code ${exitCode}` : `by ${signal}`;
    const stderr = supervised.stderr();
    throw new AgentStartFailure("process_exited", `opencode serve ended ${how} before it listened`, { stderr });
  });
  const first = Promise.race([line, exited]);
  if (await settlesWithin(first, startMs)) return first;
  const stderr = supervised.stderr();
  throw new AgentStartFailure("timeout", `opencode serve did not listen within ${startMs} ms`, { stderr });
}

async function waitForAnswer(http: OpencodeHttp, supervised: SupervisedProcess, startMs: number): Promise<void> {
  for (const giveUpAt = Date.now() + startMs; !supervised.over; ) {
    const answer = await http.ask({ path: "/global/health", timeoutMs: 1_000 }).catch(() => undefined);
    if (answer?.status === 200) return;
    if (Date.now() > giveUpAt) throw new AgentStartFailure("timeout", "opencode serve listens and does not answer");
    await sleep(100);
  }
  throw new AgentStartFailure("process_exited", "opencode serve ended before it answered");
}

/** Free now; whoever takes it first has it. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port");
  return address.port;
}

interface ServerParts {
  supervised: SupervisedProcess;
  http: OpencodeHttp;
  protocol: ServerProtocol;
}

/** One `opencode serve` with its event stream. */
export class OpencodeServer implements SharedServer {
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly http: OpencodeHttp;
  readonly sessions: Demultiplexer;
  readonly #process: SupervisedProcess;
  readonly #stream: EventStream;
  readonly #warn: (message: string, fields: Record<string, unknown>) => void;
  /** session → its directory. */
  readonly #directories = new Map<string, string>();

  constructor(host: AgentHost, { supervised, http, protocol }: ServerParts) {
    const folder = join(host.dataDirectory, "servers");
    this.#warn = (message, fields) => host.log("warn", message, fields);
    this.http = http;
    this.#process = supervised;
    this.pid = supervised.pid;
    const log = new ServerLog(join(folder, "opencode.log"), {
      redact: host.redact,
      onFailure: (error) => host.log("warn", "the log of a shared server cannot be written", { error: String(error) }),
    });
    const name = `opencode-${supervised.marker.slice(0, 12)}`;
    const watching = { ...protocol, take: (line: unknown) => this.#disposed(line) || (protocol.take?.(line) ?? false) };
    this.sessions = new Demultiplexer({ protocol: watching, log, spillDirectory: folder, name });
    this.#stream = new EventStream({
      http,
      onLines: (lines) => this.sessions.lines(lines),
      onGap: () => this.reread(),
      log: this.#warn,
    });
    this.exited = this.#watch();
  }

  open(timeoutMs: number): Promise<void> {
    return this.#stream.open(timeoutMs);
  }

  get isOver(): boolean {
    return this.#process.over;
  }

  /** From here on the session is read again after a gap. */
  watch(session: string, directory: string): void {
    this.#directories.set(session, directory);
  }

  forget(session: string): void {
    this.#directories.delete(session);
    this.sessions.detach(session);
  }

  end(options: { graceMs?: number }): Promise<void> {
    // That it breaks off is no news then.
    this.#stream.close();
    // It does not listen to its stdin; it ends at once by SIGTERM.
    return this.#process.end({ ...options, ask: () => sendSignal(-this.#process.pid, "SIGTERM") });
  }

  /** Tells every session what it may have missed. */
  async reread(): Promise<void> {
    for (const [session, directory] of this.#directories) {
      await this.#onReread(session, directory);
    }
  }

  async #onReread(session: string, directory: string): Promise<void> {
    const { lines, wasIdle } = await rereadLines(this.http, session, directory);
    this.sessions.lines(lines);
    // It may have become idle while it was read, and have said so before anybody knew that it was busy.
    if (!wasIdle && (await isIdle(this.http, session, directory))) await this.#onReread(session, directory);
  }

  /** Somebody closed a directory on the server: whatever ran there stopped, and not all of it has said so. */
  #disposed(line: unknown): boolean {
    const type = eventOf(line)?.type;
    if (type !== "server.instance.disposed" && type !== "global.disposed") return false;
    this.reread().catch((error: unknown) => this.#warn("a server could not be read again", { error: String(error) }));
    return true;
  }

  async #watch(): Promise<void> {
    const exit = await this.#process.finished();
    this.#stream.close();
    this.sessions.exit({ ...exit, stderr: this.#process.stderr() });
  }
}
