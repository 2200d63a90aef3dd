import type { Routes } from "./route.ts";

export const ticketRoutes = {
  "tickets.create": ({ body }, { tickets, grant }) => tickets.create(body.use, grant),
  "tickets.redeem": ({ body }, { tickets }) => tickets.keyFor(body.ticket),
} satisfies Partial<Routes>;
