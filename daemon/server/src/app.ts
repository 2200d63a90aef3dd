import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Engine, EngineLog } from "@muster/engine";
import { Failure } from "@muster/schema/wire";
import { type Caller, checkOrigin, checkToken, hasToken, type SecurityOptions } from "./access/security.ts";
import type { Tickets } from "./access/tickets.ts";
import { type Answer, problemAnswer, send } from "./http/answer.ts";
import { failureOf } from "./http/failure-of.ts";
import { operations } from "./http/generated/operations.ts";
import type { OperationRow } from "./http/operation-row.ts";
import { readJson } from "./http/request-body.ts";
import { FrameStream, JsonBytes, WithStatus } from "./http/route-result.ts";
import { findRoute, isMetrics, isPublic, methodsOf, targetOf } from "./http/route-table.ts";
import { streamFrames } from "./http/stream-frames.ts";
import { inputOf } from "./operation-input.ts";
import { isPagePath, pageAnswer } from "./page/page-files.ts";
import { routes } from "./routes/index.ts";
import type { RouteContext } from "./routes/route.ts";

export interface AppOptions {
  engine: Engine;
  tickets: Tickets;
  security: SecurityOptions;
  log: EngineLog;
  isClosing(): boolean;
  /** The connection has sent a request that may be answered. */
  onTrusted(socket: Socket): void;
  /** Room for the files of one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined;
  /** Told how many event streams are open whenever that changes. */
  onStreams(open: number): void;
}

/** Answers every request; never rejects. */
export type App = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** More open streams than this are refused, so that a client that forgets to close cannot use up the process. */
const mostStreams = 10_000;

/**
 * Every operation of the table, each behind the same checks. Requests and responses are those of `node:http`: the web's
 * own would load undici, which is 20 ms of a start and 5 MB.
 */
export function createApp(options: AppOptions): App {
  const { engine, tickets, reserveSession } = options;
  const startedAt = new Date().toISOString();
  let streams = 0;
  const context = { engine, tickets, reserveSession, startedAt, openStreams: () => streams };

  return async (request, response) => {
    let cors: Record<string, string> = {};
    try {
      const origin = checkOrigin(request, options.security);
      if (origin !== undefined) cors = corsHeaders(origin);
      const answer = await answerTo(request, response, cors);
      if (answer !== undefined) send(response, answer, cors);
    } catch (error) {
      const problem = failureOf(error, options.log).toProblem();
      if (response.headersSent) response.end();
      else send(response, problemAnswer(problem), cors);
    }
  };

  async function answerTo(request: IncomingMessage, response: ServerResponse, cors: Record<string, string>) {
    const { method = "", headers } = request;
    if (method === "OPTIONS" && headers.origin !== undefined) return preflight;
    const { path, query } = targetOf(request);
    if (isPagePath(path)) return pageAnswer(request, path);
    const isOpen = isPublic(path) || mayScrape(path, request);
    const caller: Caller = isOpen ? "stranger" : checkToken(request, query.ticket ?? null, options.security);
    options.onTrusted(request.socket);
    if (options.isClosing()) throw new Failure("shutting_down", "The daemon is shutting down");
    const route = findRoute(method, path);
    if (route === undefined) return noRoute(method, path);
    const input = await inputOf(route.id, { params: route.params, query, body: () => readJson(request, caller) });
    const run = routes[route.id] as (input: unknown, context: RouteContext) => unknown;
    const result = await run(input, { ...context, headers, caller });
    if (!(result instanceof FrameStream)) return answerOf(operations[route.id], result);
    await stream(result, response, cors);
    return undefined;
  }

  /** A monitor needs no more than the metrics, so it can be given a token for nothing else. */
  function mayScrape(path: string, request: IncomingMessage): boolean {
    const { metricsToken } = options.security;
    return metricsToken !== undefined && isMetrics(path) && hasToken(request, metricsToken);
  }

  /** Streams frames to the client until either side is done. */
  async function stream(frames: FrameStream, response: ServerResponse, cors: Record<string, string>): Promise<void> {
    if (streams >= mostStreams) {
      frames.source.close();
      throw new Failure("too_many_requests", `${mostStreams} event streams are open`);
    }
    options.onStreams(++streams);
    try {
      await streamFrames(response, frames, cors);
    } finally {
      options.onStreams(--streams);
    }
  }
}

function noRoute(method: string, path: string): Answer {
  const methods = methodsOf(path);
  if (methods.length === 0) return problemAnswer(new Failure("not_found", `There is no ${path}`).toProblem());
  const allow = methods.join(", ");
  const failure = new Failure("method_not_allowed", `${path} takes ${allow}, not ${method}`);
  return problemAnswer(failure.toProblem(), { allow });
}

function answerOf(operation: OperationRow, result: unknown): Answer {
  if (operation.answer === "empty") return { status: operation.status };
  if (operation.answer === "ui") return { status: 204 };
  if (operation.answer === "text")
    return { status: 200, type: operation.contentType ?? "text/plain", content: String(result) };
  const [status, value] = result instanceof WithStatus ? [result.status, result.value] : [operation.status, result];
  const content = value instanceof JsonBytes ? value.bytes : JSON.stringify(value);
  return { status, type: "application/json", content };
}

function corsHeaders(origin: string): Record<string, string> {
  return { "access-control-allow-origin": origin, vary: "Origin" };
}

const preflight: Answer = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, last-event-id",
    "access-control-max-age": "600",
  },
};
