import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Failure } from "@muster/schema/wire";
import { checkGrant, type Grant } from "./access/grant.ts";
import { checkOrigin, grantOf, type SecurityOptions } from "./access/security.ts";
import { type Answer, problemAnswer, send } from "./answers/answer.ts";
import { failureOf } from "./answers/failure-of.ts";
import type { RequestLog } from "./answers/request-log.ts";
import type { RequestWatch } from "./answers/request-watch.ts";
import { ByteStream, FrameStream, JsonBytes, WithStatus } from "./answers/route-result.ts";
import { streamBytes } from "./answers/stream-bytes.ts";
import { streamFrames } from "./answers/stream-frames.ts";
import { inputOf, type OperationInput } from "./operations/operation-input.ts";
import type { OperationRow } from "./operations/operation-row.ts";
import type { OperationTable } from "./operations/operation-table.ts";
import { readBytes, readJson } from "./operations/request-body.ts";
import { targetOf } from "./operations/target.ts";

export interface AppOptions<Id extends string> {
  table: OperationTable<Id>;
  /** Does what an operation is for: gives its value, a `WithStatus`, `JsonBytes` or a `FrameStream`. */
  run(call: Call<Id>): unknown;
  /** The answer to a path that is no operation's, such as a page's: asked first, and without a token. */
  page?(request: IncomingMessage, path: string): Promise<Answer> | undefined;
  security: SecurityOptions;
  log: RequestLog;
  /** Called with each request that comes; what it returns is told how it goes on. */
  watch?(request: IncomingMessage): RequestWatch | undefined;
  isClosing(): boolean;
  /** The connection has sent a request that may be answered. */
  onTrusted(socket: Socket): void;
  /** Told how many event streams are open whenever that changes. */
  onStreams(open: number): void;
  /** Whether an access token that was shown lets in still. */
  isTokenLive(tokenId: string): boolean;
  /** Calls `end` once when an access token no longer lets in; the returned function takes that back. */
  onTokenEnd(tokenId: string, end: () => void): () => void;
}

/** A request for an operation that has passed every check. */
export interface Call<Id extends string> {
  id: Id;
  input: OperationInput;
  headers: IncomingHttpHeaders;
  /** undefined where anybody may ask. */
  grant: Grant | undefined;
  /** By which the work goes on with the trace of the request. */
  trace: RequestWatch["trace"];
}

/** Answers every request; never rejects. */
export type App = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** More open streams than this are refused, so that a client that forgets to close cannot use up the process. */
const mostStreams = 10_000;

/**
 * Every operation of the table, each behind the same checks. Requests and responses are those of `node:http`: the web's
 * own would load undici, which is 20 ms of a start and 5 MB.
 */
export function createApp<Id extends string>(options: AppOptions<Id>): App {
  const { table } = options;
  let streams = 0;

  return async (request, response) => {
    let cors: Record<string, string> = {};
    const watch = options.watch?.(request);
    if (watch !== undefined) response.once("close", () => watch.end());
    try {
      const origin = checkOrigin(request, options.security);
      if (origin !== undefined) cors = corsHeaders(origin);
      const answer = await answerTo({ request, response, cors, watch });
      if (answer === undefined) return;
      watch?.begin(answer.status);
      send(response, answer, cors);
    } catch (error) {
      const problem = failureOf(error, options.log).toProblem();
      if (response.headersSent) return void response.end();
      watch?.begin(problem.status);
      send(response, problemAnswer(problem), cors);
    }
  };

  async function answerTo({ request, response, cors, watch }: Exchange) {
    const { method = "", headers } = request;
    if (method === "OPTIONS" && headers.origin !== undefined) return preflight;
    const { path, query } = targetOf(request);
    const page = options.page?.(request, path);
    if (page !== undefined) return await page;
    const grant = table.isPublic(path) ? undefined : grantOf(request, query.ticket ?? null, options.security);
    options.onTrusted(request.socket);
    if (options.isClosing()) throw new Failure("shutting_down", "The daemon is shutting down");
    const route = table.find(method, path);
    if (route === undefined) return noRoute(method, path, table.methodsOf(path));
    watch?.setOperation(route.id, table.rows[route.id].path);
    if (grant !== undefined) checkGrant(grant, route.id, table.rows[route.id]);
    const { takesBytes } = table.rows[route.id];
    const input = await inputOf(table, route.id, {
      params: route.params,
      query,
      body: () => (takesBytes ? readBytes(request) : readJson(request, grant !== undefined)),
      headers,
    });
    // A body may take hours, and its token be revoked meanwhile.
    if (grant?.tokenId !== undefined && !options.isTokenLive(grant.tokenId)) {
      throw new Failure("unauthorized", "The token is not valid");
    }
    const result = await options.run({ id: route.id, input, headers, grant, trace: watch?.trace });
    if (result instanceof ByteStream) {
      await sendBytes(result, { response, cors, watch, tokenId: grant?.tokenId });
      return undefined;
    }
    if (!(result instanceof FrameStream)) return answerOf(table.rows[route.id], result);
    await stream(result, { response, cors, watch, tokenId: grant?.tokenId });
    return undefined;
  }

  /** Sends bytes until they end, or the token lets nobody in any more. */
  async function sendBytes(bytes: ByteStream, { response, cors, watch, tokenId }: Streaming): Promise<void> {
    const forget = tokenId === undefined ? undefined : options.onTokenEnd(tokenId, () => response.destroy());
    watch?.begin(bytes.status);
    try {
      await streamBytes(response, bytes, cors);
    } finally {
      forget?.();
    }
  }

  /** Streams frames to the client until either side is done, or its token lets nobody in any more. */
  async function stream(frames: FrameStream, { response, cors, watch, tokenId }: Streaming): Promise<void> {
    if (streams >= mostStreams) {
      frames.source.close();
      throw new Failure("too_many_requests", `${mostStreams} event streams are open`);
    }
    options.onStreams(++streams);
    const forget = tokenId === undefined ? undefined : options.onTokenEnd(tokenId, () => frames.source.close());
    watch?.begin(200);
    try {
      await streamFrames(response, frames, cors);
    } finally {
      forget?.();
      options.onStreams(--streams);
    }
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cors: Record<string, string>;
  readonly watch: RequestWatch | undefined;
}

interface Streaming extends Omit<Exchange, "request"> {
  readonly tokenId: string | undefined;
}

function noRoute(method: string, path: string, methods: readonly string[]): Answer {
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
  const headers = result instanceof WithStatus ? result.headers : undefined;
  const content = value instanceof JsonBytes ? value.bytes : JSON.stringify(value);
  return { status, type: "application/json", content, headers };
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "etag, content-range, accept-ranges",
    vary: "Origin",
  };
}

const preflight: Answer = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers":
      "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, range, traceparent, tracestate",
    "access-control-max-age": "600",
  },
};
