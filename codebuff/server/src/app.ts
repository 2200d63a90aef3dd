import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { isBusy } from "./database/busy.ts";
import { agentRuns } from "./endpoints/agent-runs.ts";
import { getAgent, listAgents } from "./endpoints/agent-store.ts";
import type { Endpoint } from "./endpoints/answer.ts";
import { createKey, deleteKey, listKeys } from "./endpoints/api-keys.ts";
import { feedback } from "./endpoints/feedback.ts";
import { me } from "./endpoints/me.ts";
import { metricsPage } from "./endpoints/metrics-page.ts";
import { publishAgents } from "./endpoints/publish-agents.ts";
import { runSteps } from "./endpoints/run-steps.ts";
import { docsSearch, webSearch } from "./endpoints/search.ts";
import { tokenCount } from "./endpoints/token-count.ts";
import { usage } from "./endpoints/usage.ts";
import { chatCompletions } from "./gateway/chat-completions.ts";
import { ProviderError } from "./gateway/provider-error.ts";
import { errorFields } from "./log.ts";
import { beginLogin, logout, pollLogin } from "./login/cli-login.ts";
import { loginPages } from "./login/pages.ts";
import { Refusal, refusalBody } from "./refusal.ts";
import type { Service } from "./service.ts";

type Bindings = { Bindings: HttpBindings };

/** Every endpoint that answers JSON: method, path, function. */
const endpoints: readonly (readonly [method: string, path: string, endpoint: Endpoint])[] = [
  ["GET", "/api/healthz", async () => ({ status: "ok" })],
  ["GET", "/api/v1/me", me],
  ["POST", "/api/v1/agent-runs", agentRuns],
  ["POST", "/api/v1/agent-runs/:id/steps", runSteps],
  ["POST", "/api/v1/token-count", tokenCount],
  ["POST", "/api/v1/usage", usage],
  ["POST", "/api/v1/web-search", webSearch],
  ["POST", "/api/v1/docs-search", docsSearch],
  ["POST", "/api/v1/feedback", feedback],
  ["GET", "/api/v1/agents", listAgents],
  ["GET", "/api/v1/agents/:publisher/:id/:version", getAgent],
  ["POST", "/api/agents/publish", publishAgents],
  ["GET", "/api/v1/api-keys", listKeys],
  ["POST", "/api/v1/api-keys", createKey],
  ["DELETE", "/api/v1/api-keys/:id", deleteKey],
  ["POST", "/api/auth/cli/code", beginLogin],
  ["GET", "/api/auth/cli/status", pollLogin],
  ["POST", "/api/auth/cli/logout", logout],
];

export function createApp(service: Service): Hono<Bindings> {
  const app = new Hono<Bindings>();

  app.use(async (c, next) => {
    const began = service.now();
    await next();
    const status = c.env.outgoing.headersSent ? c.env.outgoing.statusCode : c.res.status;
    const route = c.req.routePath === "/*" ? "unknown" : c.req.routePath;
    service.metrics.count("requests", { route, status });
    service.log("debug", "request", { method: c.req.method, path: c.req.path, status, ms: service.now() - began });
  });

  for (const [method, path, endpoint] of endpoints) {
    app.on(method, path, async (c) => {
      const body = await endpoint({
        request: c.env.incoming as IncomingMessage,
        params: c.req.param() as Record<string, string>,
        query: new URL(c.req.url).searchParams,
        service,
      });
      return json(200, body);
    });
  }

  app.post("/api/v1/chat/completions", async (c) => {
    const response = c.env.outgoing as ServerResponse;
    const body = await chatCompletions(c.env.incoming as IncomingMessage, response, service);
    return body === undefined ? RESPONSE_ALREADY_SENT : json(200, body);
  });

  app.get("/metrics", (c) => metricsPage(c.env.incoming as IncomingMessage, service));
  loginPages(app, service);

  app.notFound((c) => json(404, refusalBody(new Refusal(404, "There is nothing here"), headersOf(c))));
  app.onError((error, c) => answerError(error, c, service));
  return app;
}

function answerError(error: Error, c: Context<Bindings>, service: Service): Response {
  const { outgoing } = c.env;
  if ((outgoing as ServerResponse).headersSent) {
    // The answer has begun, so there is no other way to say that it is not whole.
    service.log("error", "an answer broke off", { path: c.req.path, ...errorFields(error) });
    (outgoing as ServerResponse).destroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (error instanceof ProviderError) {
    return new Response(error.body, {
      status: error.status,
      headers: { "content-type": "application/json", ...error.headers },
    });
  }
  if (error instanceof Refusal) {
    service.metrics.count("refusals", { status: error.status, code: error.code ?? "" });
    return json(error.status, refusalBody(error, headersOf(c)), error.headers);
  }
  if (isBusy(error)) {
    service.log("warn", "the database is busy", { path: c.req.path, ...errorFields(error) });
    const refusal = new Refusal(503, "The database is busy. Try again.", { headers: { "retry-after": "1" } });
    return json(refusal.status, refusalBody(refusal, headersOf(c)), refusal.headers);
  }
  const id = randomUUID();
  service.log("error", "a request failed", { id, method: c.req.method, path: c.req.path, ...errorFields(error) });
  return json(
    500,
    refusalBody(new Refusal(500, `Something is broken here. Tell support this id: ${id}`), headersOf(c)),
  );
}

function headersOf(c: Context<Bindings>): IncomingMessage["headers"] {
  return (c.env.incoming as IncomingMessage).headers;
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}
