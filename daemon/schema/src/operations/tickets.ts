import { z } from "zod";
import { Time } from "../ids.ts";
import type { Operation } from "./operation.ts";
import { json, none } from "./row-parts.ts";

export const ticketOperations = {
  "tickets.create": {
    method: "POST",
    path: "/tickets",
    summary: "A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect",
    params: none,
    body: z.object({
      use: z
        .enum(["request", "page"])
        .optional()
        .describe("request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes"),
    }),
    answer: "json",
    status: 201,
    response: z.object({ ticket: z.string(), expiresAt: Time }),
    cli: ["tickets", "create"],
    scope: "read",
    problems: [],
  },
  "tickets.redeem": {
    method: "POST",
    path: "/tickets/redeem",
    summary: "Takes the ticket of a page and gives it a key to send as its bearer token",
    params: none,
    body: z.object({ ticket: z.string().min(1).max(200).describe("Made with use: page; good for one time") }),
    ...json,
    response: z.object({ key: z.string(), expiresAt: Time }),
    cli: ["tickets", "redeem"],
    scope: "public",
    problems: ["unauthorized"],
  },
} as const satisfies Record<string, Operation>;
