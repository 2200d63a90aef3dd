import { z } from "zod";
import { SessionId, Time } from "../ids.ts";
import { scopes } from "./scopes.ts";

const limits = {
  scope: z
    .enum(scopes)
    .describe(
      "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all",
    ),
  sessions: z.array(SessionId).min(1).max(1000).optional().describe("Only these sessions; every one by default"),
  agents: z.array(z.string().min(1)).min(1).max(100).optional().describe("Only sessions of these agents"),
  expiresAt: Time.optional().describe(
    "When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default",
  ),
  name: z.string().min(1).max(100).optional().describe("What it is for, in lists"),
};

export const CreateToken = z.object(limits).describe("What a new access token lets its holder do");
export type CreateToken = z.infer<typeof CreateToken>;

export const AccessToken = z
  .object({
    tokenId: z.string().describe("The token's id, by which it is revoked"),
    ...limits,
    createdAt: Time.describe("When it was made, in UTC"),
    lastUsedAt: Time.optional().describe("To the minute; missing where it never was"),
  })
  .describe("An access token as it is listed: never the token itself");
export type AccessToken = z.infer<typeof AccessToken>;

export const CreatedToken = AccessToken.extend({
  token: z.string().describe("The token itself, told this once: only its hash is kept"),
}).describe("An access token that was just made, with the token itself");
export type CreatedToken = z.infer<typeof CreatedToken>;
