import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
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
import { type Answer, errorAnswer, jsonAnswer, refusalAnswer } from "./error-answer.ts";
import { beginLogin, logout, pollLogin } from "./login/cli-login.ts";
import { loginPages } from "./login/pages.ts";
import { Refusal } from "./refusal.ts";
import type { Service } from "./service.ts";

type Bindings = { Bindings: HttpBindings };

/** Every endpoint that answers JSON, but for the model's: method, path, function. */
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
    const { status } = c.res;
    const route = c.req.routePath === "/*" ? "unknown" : c.req.routePath;
    service.metrics.count("requests", { route, status });
    service.log("debug", "request", { method: c.req.method, path: c.req.path, status, ms: service.now() - began });
  });

  for (const [method, path, endpoint] of endpoints) {
    app.on(method, path, async (c) => {
      const body = await endpoint({
        request: requestOf(c),
        params: c.req.param() as Record<string, string>,
        query: new URL(c.req.url).searchParams,
        service,
      });
      return asResponse(jsonAnswer(200, body));
    });
  }

  app.get("/metrics", (c) => metricsPage(requestOf(c), service));
  loginPages(app, service);

  app.notFound((c) => asResponse(refusalAnswer(new Refusal(404, "There is nothing here"), requestOf(c))));
  app.onError((error, c) => asResponse(errorAnswer(error, requestOf(c), service)));
  return app;
}

/** Only pages and endpoints come here, which write nothing before they return. */
export function asResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}

function requestOf(c: Context<Bindings>): IncomingMessage {
  return c.env.incoming as IncomingMessage;
}
