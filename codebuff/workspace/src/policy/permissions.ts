import { z } from "zod";
import type { Danger } from "./command-risks.ts";
import type { PolicyEffect } from "./rules.ts";

/** How much is asked: `ask` a person, `unattended` runs all but what destroys, `allow` everything, `deny` the rest. */
export const Permissions = z.enum(["ask", "unattended", "allow", "deny"]);
export type Permissions = z.infer<typeof Permissions>;

/** What happens with a command of this danger, with a path outside the project, and with every edit. Secret paths need a rule. */
export const permissionTable: Readonly<
  Record<Permissions, Readonly<Record<Danger | "path-outside" | "edit", PolicyEffect>>>
> = {
  ask: { outside: "ask", destructive: "ask", secret: "ask", "path-outside": "ask", edit: "allow" },
  unattended: { outside: "allow", destructive: "deny", secret: "deny", "path-outside": "deny", edit: "allow" },
  allow: { outside: "allow", destructive: "allow", secret: "deny", "path-outside": "allow", edit: "allow" },
  deny: { outside: "deny", destructive: "deny", secret: "deny", "path-outside": "deny", edit: "allow" },
};
