import { z } from "zod";
import { AccessToken, CreatedToken, CreateToken } from "../access-tokens.ts";
import type { Operation } from "./operation.ts";
import { empty, json, none } from "./row-parts.ts";

export const tokenOperations = {
  "tokens.create": {
    method: "POST",
    path: "/tokens",
    summary: "Makes an access token with a scope, for all or for some sessions and agents",
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
    params: none,
    ...json,
    response: z.object({ tokens: z.array(AccessToken) }),
    cli: ["tokens", "list"],
    scope: "admin",
    wholeDaemon: true,
    problems: [],
  },
  "tokens.revoke": {
    method: "DELETE",
    path: "/tokens/{tokenId}",
    summary: "Ends an access token and the streams it has open",
    params: z.object({ tokenId: z.string() }),
    ...empty,
    cli: ["tokens", "revoke"],
    scope: "admin",
    wholeDaemon: true,
    problems: ["token_not_found", "storage_full"],
  },
} as const satisfies Record<string, Operation>;
