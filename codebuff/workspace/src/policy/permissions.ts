import type { PolicyEffect } from "@muster/codebuff-protocol";
import { z } from "zod";
import type { Danger } from "./risk/command-risks.ts";

/**
 * How much is asked. `default` asks for every edit and every command not known to be read-only, `accept-edits` only for
 * the commands, `ask` for what leaves the project or destroys; `deny` refuses what `ask` would ask; `unattended` runs all
 * but what destroys; `allow` asks nothing; `sandboxed` lets commands write inside the project and nowhere else.
 */
export const Permissions = z.enum(["default", "accept-edits", "ask", "unattended", "sandboxed", "allow", "deny"]);
export type Permissions = z.infer<typeof Permissions>;

/**
 * `edit`: a tool changes a file of the project. `command`: it is not known to be read-only. `foreign`: a tool of an MCP
 * server, which may reach anything. `sends`: it carries something out of a run that has read words of strangers. Secret paths need a rule.
 */
type Subject = Exclude<Danger, "fetches"> | "path-outside" | "foreign" | "edit" | "command";

export const permissionTable: Readonly<Record<Permissions, Readonly<Record<Subject, PolicyEffect>>>> = {
  default: row("ask", { edit: "ask", command: "ask" }),
  "accept-edits": row("ask", { command: "ask" }),
  ask: row("ask", {}),
  unattended: row("deny", { outside: "allow", foreign: "allow" }),
  // Where the kernel confines commands they cannot reach what `outside` warns of; where it does not, they do not run.
  sandboxed: row("deny", { outside: "allow", foreign: "allow" }),
  allow: row("allow", { secret: "deny" }),
  deny: row("deny", {}),
};

function row(beyond: PolicyEffect, exceptions: Partial<Record<Subject, PolicyEffect>>): Record<Subject, PolicyEffect> {
  const strict = {
    outside: beyond,
    destructive: beyond,
    secret: beyond,
    "path-outside": beyond,
    foreign: beyond,
    sends: beyond,
  } as const;
  return { ...strict, edit: "allow", command: "allow", ...exceptions };
}
