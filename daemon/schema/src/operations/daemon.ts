import { z } from "zod";
import { Time } from "../ids.ts";
import type { Operation } from "./operation.ts";
import { json, none } from "./row-parts.ts";

export const daemonOperations = {
  health: {
    method: "GET",
    path: "/health",
    summary: "Tells that the daemon answers",
    params: none,
    ...json,
    response: z.object({ status: z.literal("ok") }),
    cli: ["health"],
    scope: "public",
    problems: [],
  },
  info: {
    method: "GET",
    path: "/",
    summary: "Name, version and what the daemon serves",
    params: none,
    ...json,
    response: z.object({
      name: z.string(),
      version: z.string(),
      agents: z.array(z.string()),
      durability: z.enum(["batch", "sync", "none"]),
      startedAt: Time,
    }),
    cli: ["info"],
    scope: "read",
    problems: [],
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This API as OpenAPI 3.1",
    params: none,
    ...json,
    response: z.looseObject({ openapi: z.string() }),
    cli: ["openapi"],
    scope: "read",
    problems: [],
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "Counters and gauges as Prometheus text",
    params: none,
    answer: "text",
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    status: 200,
    cli: ["metrics"],
    scope: "read",
    wholeDaemon: true,
    problems: [],
  },
} as const satisfies Record<string, Operation>;
