import { z } from "zod";
import { Time } from "../ids.ts";
import type { Operation } from "./operation.ts";
import { json, none } from "./row-parts.ts";

export const daemonOperations = {
  health: {
    method: "GET",
    path: "/health",
    summary: "Tells that the daemon answers",
    description: "For load balancers and probes: answers without a token and without touching a session.",
    params: none,
    ...json,
    response: z.object({ status: z.literal("ok").describe("It answers, so it is well") }),
    cli: ["health"],
    scope: "public",
    problems: [],
  },
  info: {
    method: "GET",
    path: "/",
    summary: "Name, version and what the daemon serves",
    description: "The daemon's version, the agents it can drive, how it keeps events and since when it runs.",
    params: none,
    ...json,
    response: z.object({
      name: z.string().describe("sandbox-daemon"),
      version: z.string().describe("The daemon's version"),
      agents: z.array(z.string()).describe("The ids of the agents it can drive"),
      durability: z
        .enum(["batch", "sync", "none"])
        .describe("When an event is safe: written and synced in groups, one by one, or when the system likes"),
      startedAt: Time.describe("When it was started, in UTC"),
      gateway: z.boolean().describe("Agents reach their models through the daemon, which keeps the keys and counts"),
    }),
    cli: ["info"],
    scope: "read",
    problems: [],
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This API as OpenAPI 3.1",
    description: "The document that describes every operation, as this daemon serves it.",
    params: none,
    ...json,
    response: z.looseObject({ openapi: z.string().describe("The version of OpenAPI it is written in") }),
    cli: ["openapi"],
    scope: "read",
    problems: [],
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "Counters and gauges as Prometheus text",
    description: "For Prometheus: sessions, turns, events, processes and memory. Needs a token for the whole daemon.",
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
