import type { ServerResponse } from "node:http";
import { chatAnswer, httpService, type SeenRequest, sendJson, sendStream } from "./http-service.ts";

type Endpoint = "me" | "start" | "finish" | "step" | "chat" | "agents" | "token" | "search";

export interface Gate {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Left out: always. */
  readonly times?: number;
}

/** The smallest Codebuff server, with the gates of the recorded scenarios. */
export async function codebuffService(
  given: {
    gates?: Partial<Record<Endpoint, Gate>>;
    chat?: (request: SeenRequest, response: ServerResponse, n: number) => void;
    agent?: object;
  } = {},
) {
  const hits: Record<string, number> = {};
  const count = (endpoint: Endpoint) => {
    hits[endpoint] = (hits[endpoint] ?? 0) + 1;
    return hits[endpoint];
  };
  const { url, seen } = await httpService((request, response) => {
    const endpoint = endpointOf(request);
    const n = count(endpoint);
    const gate = given.gates?.[endpoint];
    if (gate !== undefined && n <= (gate.times ?? Number.POSITIVE_INFINITY)) {
      return sendJson(
        response,
        gate.status,
        gate.body ?? { error: `gate_${gate.status}`, message: `scripted gate ${gate.status}` },
        gate.headers,
      );
    }
    switch (endpoint) {
      case "me":
        return sendJson(response, 200, { id: "user-1" });
      case "start":
        return sendJson(response, 200, { runId: `run-${n}` });
      case "finish":
        return sendJson(response, 200, { success: true });
      case "step":
        return sendJson(response, 200, { stepId: `step-${n}` });
      case "token":
        return sendJson(response, 200, { inputTokens: 1234 });
      case "search":
        return sendJson(response, 200, { result: "search says hi", creditsUsed: 1 });
      case "agents":
        return given.agent === undefined
          ? sendJson(response, 404, { error: "Agent not found" })
          : sendJson(response, 200, { version: "0.0.1", data: given.agent });
      case "chat":
        if (given.chat !== undefined) return given.chat(request, response, n);
        return sendStream(response, chatAnswer(["Hello"], { cost: 0.02 }));
    }
  });
  const bodies = (endpoint: Endpoint) =>
    seen
      .filter((request) => endpointOf(request) === endpoint)
      .map(({ body }) => (body === "" ? undefined : (JSON.parse(body) as Record<string, unknown>)));
  return { url, seen, hits, bodies };
}

function endpointOf({ path, body }: SeenRequest): Endpoint {
  if (path.startsWith("/api/v1/me")) return "me";
  if (path.endsWith("/steps")) return "step";
  if (path === "/api/v1/agent-runs") return body.includes('"START"') ? "start" : "finish";
  if (path.startsWith("/api/v1/agents/")) return "agents";
  if (path === "/api/v1/token-count") return "token";
  if (path.endsWith("-search")) return "search";
  return "chat";
}
