import type { Routes } from "./route.ts";

export const tokenRoutes = {
  "tokens.create": ({ body }, { tokens }) => tokens.create(body),
  "tokens.list": (_, { tokens }) => ({ tokens: tokens.list() }),
  "tokens.revoke": ({ params }, { tokens }) => tokens.revoke(params.tokenId).then(() => undefined),
} satisfies Partial<Routes>;
