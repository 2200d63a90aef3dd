import { version } from "../version.ts";
import type { Routes } from "./route.ts";

export const daemonRoutes = {
  health: () => ({ status: "ok" }),
  info: (_, { engine, startedAt }) => {
    const { agents, durability, hasGateway: gateway } = engine;
    return { name: "sandbox-daemon", version, agents: agents.ids, durability, startedAt, gateway };
  },
  openapi: async () => (await import("@muster/schema")).openApi(version) as { openapi: string },
  metrics: (_, { metrics }) => metrics(),
} satisfies Partial<Routes>;
