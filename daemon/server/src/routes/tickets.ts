import type { Routes } from "./route.ts";

export const ticketRoutes = {
  "tickets.create": ({ body }, { tickets, caller }) => tickets.create(body.use, caller),
  "tickets.redeem": ({ body }, { tickets }) => tickets.keyFor(body.ticket),
} satisfies Partial<Routes>;
