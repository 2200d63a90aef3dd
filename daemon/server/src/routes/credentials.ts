import type { Routes } from "./route.ts";

export const credentialRoutes = {
  "credentials.list": async (_, { engine }) => ({ credentials: await engine.agents.credentials() }),
} satisfies Partial<Routes>;
