import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Engine, EngineLog } from "@muster/engine";
import { Failure, type Operation, type OperationId, operationIds, operations } from "@muster/schema";
import { type Context, Hono } from "hono";
import type { ZodObject } from "zod";
import { problemOf, problemResponse } from "./problem-response.ts";
import { readJson } from "./request-body.ts";
import { JsonBytes, type RouteContext, type RouteInput, routes, WithStatus } from "./routes.ts";
import { checkOrigin, checkToken, type SecurityOptions } from "./security.ts";
import { streamFrames } from "./stream-frames.ts";
import type { Tickets } from "./tickets.ts";

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
}

type Bindings = { Bindings: HttpBindings };

/** More open streams than this are refused, so that a client that forgets to close cannot use up the process. */
const mostStreams = 10_000;

/** Every operation of the table as a route, at the root and under /v1, each behind the same checks. */
export function createApp(options: AppOptions): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const startedAt = new Date().toISOString();
  let streams = 0;

  app.use(async (c, next) => {
    const { incoming } = c.env;
    const origin = checkOrigin(incoming, options.security);
    if (origin !== undefined && incoming.method === "OPTIONS") return preflight(origin);
    if (!publicPaths.has(c.req.path)) checkToken(incoming, c.req.query("ticket") ?? null, options.security);
    options.onTrusted(incoming.socket);
    if (options.isClosing()) throw new Failure("shutting_down", "The daemon is shutting down");
    await next();
    if (origin !== undefined && c.res !== RESPONSE_ALREADY_SENT)
      for (const [name, value] of corsHeaders(origin)) c.res.headers.set(name, value);
    return undefined;
  });

  for (const id of operationIds) {
    const operation: Operation = operations[id];
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const handle = async (c: Context<Bindings>) => {
      const context = contextOf(c);
      const input = await inputOf(operation, c);
      const run = routes[id] as (input: unknown, context: RouteContext) => unknown;
      const result = await run(input, context);
      return context.response.headersSent ? RESPONSE_ALREADY_SENT : answer(operation, result);
    };
    for (const place of placesOf(path)) app.on(operation.method, place, handle);
  }

  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    const { method, path } = c.req;
    if (methods.length === 0) return problemResponse(new Failure("not_found", `There is no ${path}`).toProblem());
    const failure = new Failure("method_not_allowed", `${path} takes ${methods.join(", ")}, not ${method}`);
    return problemResponse(failure.toProblem(), { allow: methods.join(", ") });
  });

  app.onError((error, c) => {
    const problem = problemOf(error, options.log);
    const origin = c.req.header("origin");
    const cors = origin !== undefined && options.security.origins.has(origin) ? corsHeaders(origin) : [];
    return problemResponse(problem, Object.fromEntries(cors));
  });

  function contextOf(c: Context<Bindings>): RouteContext {
    const { incoming: request, outgoing } = c.env;
    const response = outgoing as ServerResponse;
    const { engine, tickets, security, reserveSession } = options;
    return {
      engine,
      reserveSession,
      tickets,
      startedAt,
      request: request as IncomingMessage,
      response,
      openStreams: () => streams,
      async stream(source, position) {
        if (streams >= mostStreams) {
          source.close();
          throw new Failure("too_many_requests", `${mostStreams} event streams are open`);
        }
        streams++;
        const origin = request.headers.origin;
        const isListed = origin !== undefined && security.origins.has(origin);
        try {
          await streamFrames(response, source, {
            position,
            headers: Object.fromEntries(isListed ? corsHeaders(origin) : []),
          });
        } finally {
          streams--;
        }
      },
    };
  }

  return app;
}

/** At the root and under /v1, which is the root with or without its last slash. */
function placesOf(path: string): string[] {
  return path === "/" ? ["/", "/v1", "/v1/"] : [path, `/v1${path}`];
}

async function inputOf({ params, query, body }: Operation, c: Context<Bindings>) {
  const { ticket: _, ...asked } = c.req.query();
  return {
    params: check("path", params, c.req.param()),
    query: check("query", query, asked),
    body: body ? check("body", body, await readJson(c.env.incoming as IncomingMessage)) : {},
  } as RouteInput<OperationId>;
}

/** Unknown fields are refused: a misspelt option that is silently ignored is worse than an error. */
function check(place: string, schema: ZodObject | undefined, value: unknown): unknown {
  if (!schema) return {};
  const result = schema.strict().safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const said = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  throw new Failure("invalid_request", `The ${place} is not valid: ${said}`, { issues });
}

function answer(operation: Operation, result: unknown): Response {
  if (operation.answer === "empty") return new Response(null, { status: operation.status });
  if (operation.answer === "text")
    return new Response(String(result), { headers: { "content-type": "text/plain; charset=utf-8" } });
  const [status, value] = result instanceof WithStatus ? [result.status, result.value] : [operation.status, result];
  const content = value instanceof JsonBytes ? new Uint8Array(value.bytes) : JSON.stringify(value);
  return new Response(content, { status, headers: { "content-type": "application/json" } });
}

const publicPaths = new Set(
  operationIds.flatMap((id) => {
    const { public: isPublic, path }: Operation = operations[id];
    return isPublic ? placesOf(path) : [];
  }),
);

const patterns = operationIds.map((id) => {
  const { path, method }: Operation = operations[id];
  const pattern = path === "/" ? "/?" : path.replaceAll(/\{\w+\}/g, "[^/]+");
  return { method, pattern: new RegExp(`^(/v1)?${pattern}$`) };
});

function methodsOf(path: string): string[] {
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

function corsHeaders(origin: string): [string, string][] {
  return [
    ["access-control-allow-origin", origin],
    ["vary", "Origin"],
  ];
}

function preflight(origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...Object.fromEntries(corsHeaders(origin)),
      "access-control-allow-methods": "GET, POST, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, idempotency-key, last-event-id",
      "access-control-max-age": "600",
    },
  });
}
