import { z } from "zod";
import { Time } from "../ids.ts";
import type { Operation } from "./operation.ts";
import { json, none } from "./row-parts.ts";

export const ticketOperations = {
  "tickets.create": {
    method: "POST",
    path: "/tickets",
    summary: "A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect",
    description:
      "So that a web page never learns the token: its server makes a ticket for each request. With a ticket one can read and follow, not change, but for a terminal: there one types, where its maker may.",
    params: none,
    body: z.object({
      use: z
        .enum(["request", "page"])
        .optional()
        .describe("request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes"),
    }),
    answer: "json",
    status: 201,
    response: z.object({
      ticket: z.string().describe("To be sent as ?ticket=, or behind /inspect#ticket="),
      expiresAt: Time.describe("Until when it is good, in UTC"),
    }),
    cli: ["tickets", "create"],
    scope: "read",
    problems: [],
  },
  "tickets.redeem": {
    method: "POST",
    path: "/tickets/redeem",
    summary: "Takes the ticket of a page and gives it a key to send as its bearer token",
    description: "The key is good for reading and following until it expires.",
    params: none,
    body: z.object({ ticket: z.string().min(1).max(200).describe("Made with use: page; good for one time") }),
    ...json,
    response: z.object({
      key: z.string().describe("To be sent as bearer token"),
      expiresAt: Time.describe("Until when it is good, in UTC"),
    }),
    cli: ["tickets", "redeem"],
    scope: "public",
    problems: ["unauthorized"],
  },
} as const satisfies Record<string, Operation>;
