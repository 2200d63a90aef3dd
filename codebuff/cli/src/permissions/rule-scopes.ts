import { PolicyRule } from "@muster/codebuff-protocol";
import { z } from "zod";

const Rules = z.array(PolicyRule);

/** How long these rules can last: a file of this project means nothing in another one. */
export function scopesFor(given: unknown): ("project" | "everywhere")[] {
  const rules = Rules.safeParse(given).data ?? [];
  if (rules.length === 0) return [];
  return rules.some(({ path }) => path !== undefined && !path.startsWith("/"))
    ? ["project"]
    : ["project", "everywhere"];
}
