import { setTimeout } from "node:timers/promises";
import { parseJson } from "@muster/core";
import { z } from "zod";
import { asModelFailure, failureOfStatus, ModelFailure, shownAddress } from "../model-failure.ts";
import { clientHeader } from "./client-header.ts";

/** Pauses between tries of a request that is no model call. */
const backendPausesMs = [1_000, 2_000, 4_000] as const;
const requestLimitMs = 30_000;

export interface BackendOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface Call {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const Me = z.looseObject({ id: z.string(), email: z.string().nullish() });
export type UserInfo = z.infer<typeof Me>;

const StoredAgent = z.looseObject({ version: z.string(), data: z.unknown() });

/** The Codebuff server's requests other than chat. Rejects with `ModelFailure`, which keeps status, code and message. */
export class Backend {
  readonly #options: BackendOptions;

  constructor(options: BackendOptions) {
    this.#options = options;
  }

  async me(fields: readonly string[], signal?: AbortSignal): Promise<UserInfo> {
    return this.#call({ path: `/api/v1/me?fields=${fields.join(",")}`, signal }, Me);
  }

  async startRun(run: { agentType: string; ancestorRunIds: readonly string[] }, signal: AbortSignal): Promise<string> {
    const body = { action: "START", agentId: run.agentType, ancestorRunIds: run.ancestorRunIds };
    const { runId } = await this.#call({ path: "/api/v1/agent-runs", body, signal }, z.object({ runId: z.string() }));
    return runId;
  }

  async recordStep(runId: string, step: Record<string, unknown>, signal?: AbortSignal): Promise<void> {
    await this.#call({ path: `/api/v1/agent-runs/${runId}/steps`, body: step, signal }, z.unknown());
  }

  async finishRun(run: Record<string, unknown>, signal?: AbortSignal): Promise<void> {
    await this.#call({ path: "/api/v1/agent-runs", body: { action: "FINISH", ...run }, signal }, z.unknown());
  }

  async countTokens(request: Record<string, unknown>, signal: AbortSignal): Promise<number> {
    const answer = z.object({ inputTokens: z.int().min(0) });
    return (await this.#call({ path: "/api/v1/token-count", body: request, signal }, answer)).inputTokens;
  }

  async webSearch(
    body: { query: string; depth: string },
    signal: AbortSignal,
  ): Promise<{ result: string; creditsUsed?: number }> {
    const answer = z.object({ result: z.string(), creditsUsed: z.number().optional() });
    return this.#call({ path: "/api/v1/web-search", body, signal }, answer);
  }

  async docsSearch(
    body: { libraryTitle: string; topic: string; maxTokens?: number },
    signal: AbortSignal,
  ): Promise<{ documentation: string; creditsUsed?: number }> {
    const answer = z.object({ documentation: z.string(), creditsUsed: z.number().optional() });
    return this.#call({ path: "/api/v1/docs-search", body, signal }, answer);
  }

  /** Undefined when the store has no such agent. */
  async storedAgent(
    publisher: string,
    id: string,
    version: string,
    signal: AbortSignal,
  ): Promise<z.infer<typeof StoredAgent> | undefined> {
    const path = `/api/v1/agents/${[publisher, id, version].map(encodeURIComponent).join("/")}`;
    try {
      return await this.#call({ path, signal }, StoredAgent);
    } catch (error) {
      if (error instanceof ModelFailure && error.statusCode === 404) return undefined;
      throw error;
    }
  }

  async #call<Answer>(call: Call, answer: z.ZodType<Answer>): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once(call, answer);
      } catch (error) {
        call.signal?.throwIfAborted();
        const failure = asModelFailure(error, Date.now());
        const pause = backendPausesMs[tries];
        const mayPass = failure.kind === "rate_limit" || failure.kind === "server" || failure.kind === "network";
        if (!mayPass || pause === undefined) throw this.#named(failure, tries + 1);
        await setTimeout(pause, undefined, { signal: call.signal });
      }
    }
  }

  /** A server that does not answer is named, with how often it was tried. */
  #named(failure: ModelFailure, attempts: number): ModelFailure {
    if (failure.kind !== "network") return failure;
    const { kind, code, statusCode, resetAtMs } = failure;
    const message = `${failure.message} (${shownAddress(this.#options.baseUrl)}, ${attempts} attempts)`;
    return new ModelFailure(kind, message, { code, statusCode, resetAtMs, cause: failure });
  }

  async #once<Answer>({ method, path, body, signal }: Call, answer: z.ZodType<Answer>): Promise<Answer> {
    const limit = AbortSignal.timeout(requestLimitMs);
    const response = await fetch(this.#options.baseUrl + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...clientHeader,
        authorization: `Bearer ${this.#options.apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const text = await response.text();
    if (!response.ok) throw failureOfStatus(response.status, text, response.headers, Date.now());
    const parsed = answer.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw new ModelFailure("refused", `The server's answer to ${path.split("?")[0]} has another form than expected`);
  }
}

/** `GET /api/healthz`; false for anything but a healthy answer within 5 s. */
export async function isHealthy(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/api/healthz`, { signal: AbortSignal.timeout(5_000) });
    const answer = z.looseObject({ status: z.string() }).safeParse(parseJson(await response.text()));
    return response.ok && answer.success && answer.data.status === "ok";
  } catch {
    // Unreachable is an answer too.
    return false;
  }
}
