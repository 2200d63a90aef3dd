import { version } from "../version.ts";
import type { Routes } from "./route.ts";

export const daemonRoutes = {
  health: () => ({ status: "ok" }),
  info: (_, { engine, startedAt }) => {
    return { name: "sandbox-daemon", version, agents: engine.agents.ids, durability: engine.durability, startedAt };
  },
  openapi: async () => (await import("@muster/schema")).openApi(version) as { openapi: string },
  metrics: (_, { metrics }) => metrics(),
} satisfies Partial<Routes>;
