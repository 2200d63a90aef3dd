import { z } from "zod";
import { CredentialInfo } from "../agents.ts";
import type { Operation } from "./operation.ts";
import { json, none } from "./row-parts.ts";

export const credentialOperations = {
  "credentials.list": {
    method: "GET",
    path: "/credentials",
    summary: "Which credentials were found and where; never the secrets",
    description: "By which a person sees why an agent is or is not ready to work.",
    params: none,
    ...json,
    response: z.object({ credentials: z.array(CredentialInfo).describe("One for each agent and provider") }),
    cli: ["credentials", "list"],
    scope: "work",
    wholeDaemon: true,
    problems: [],
  },
} as const satisfies Record<string, Operation>;
