import { PolicyRule } from "@muster/codebuff-protocol";
import { z } from "zod";
import { scopesFor } from "../permissions/rule-scopes.ts";
import { grantText } from "../permissions/rule-text.ts";
import type { Choice } from "./choice-dialog.ts";

export type PermissionChoice =
  | { readonly decision: "once" | "deny" }
  | { readonly decision: "always"; readonly scope: "session" | "project" | "everywhere" };

const Rules = z.array(PolicyRule);
const labels = { project: "Always in this project", everywhere: "Always everywhere" } as const;

/**
 * The answers to a permission. What can only be remembered for a session is not offered for longer: an `always` that is
 * written down is a rule, and the choice says which. `remembered` is what a session remembers, empty when that is nothing.
 */
export function permissionChoices(remembered: string, given: unknown): Choice<PermissionChoice>[] {
  const rules = Rules.safeParse(given).data ?? [];
  const told = rules.map(grantText).join(", ");
  const always = (scope: "project" | "everywhere", label: string): Choice<PermissionChoice> => ({
    label: `${label}: ${told}`,
    value: { decision: "always", scope },
    isYes: true,
  });
  return [
    { label: "Allow once", value: { decision: "once" }, isYes: true },
    ...(remembered === ""
      ? []
      : [
          {
            label: "Always, in this session",
            value: { decision: "always", scope: "session" } as const,
            isYes: true,
          },
        ]),
    { label: "Deny", value: { decision: "deny" } },
    { label: "Deny, and say what to do instead", value: { decision: "deny" }, takesText: true },
    // Last: a number that fingers know keeps its meaning, and what lasts longest is furthest away.
    ...scopesFor(rules).map((scope) => always(scope, labels[scope])),
  ];
}
