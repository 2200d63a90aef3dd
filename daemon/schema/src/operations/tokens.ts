import { z } from "zod";
import { AccessToken, CreatedToken, CreateToken } from "../access/access-tokens.ts";
import type { Operation } from "./operation.ts";
import { empty, json, none } from "./row-parts.ts";

export const tokenOperations = {
  "tokens.create": {
    method: "POST",
    path: "/tokens",
    summary: "Makes an access token with a scope, for all or for some sessions and agents",
    description: "The token itself is told this once. It ends when it is revoked or expires.",
    params: none,
    body: CreateToken,
    answer: "json",
    status: 201,
    response: CreatedToken,
    cli: ["tokens", "create"],
    cliNames: { sessions: "session", agents: "agent", expiresAt: "expires" },
    scope: "admin",
    wholeDaemon: true,
    problems: ["storage_full"],
  },
  "tokens.list": {
    method: "GET",
    path: "/tokens",
    summary: "The access tokens that let in, without the tokens themselves",
    description: "With what each may do and when it was last used.",
    params: none,
    ...json,
    response: z.object({ tokens: z.array(AccessToken).describe("All that let in") }),
    cli: ["tokens", "list"],
    scope: "admin",
    wholeDaemon: true,
    problems: [],
  },
  "tokens.revoke": {
    method: "DELETE",
    path: "/tokens/{tokenId}",
    summary: "Ends an access token and the streams it has open",
    description: "At once, also for streams that are open.",
    params: z.object({ tokenId: z.string().describe("The id in the list") }),
    ...empty,
    cli: ["tokens", "revoke"],
    scope: "admin",
    wholeDaemon: true,
    problems: ["token_not_found", "storage_full"],
  },
} as const satisfies Record<string, Operation>;
