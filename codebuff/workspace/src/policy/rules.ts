import { z } from "zod";
import { globPattern } from "../search/glob-pattern.ts";
import type { CommandReading } from "./bash/called-programs.ts";

export const PolicyEffect = z.enum(["allow", "ask", "deny"]);
export type PolicyEffect = z.infer<typeof PolicyEffect>;

/**
 * A wish of the user. `tool` and `path` are globs; `command` may use `*` for anything and is compared with each command of
 * a line, so that `npm test*` does not let `npm test && rm -rf x` pass. The last rule that fits counts.
 */
export const PolicyRule = z
  .object({
    effect: PolicyEffect,
    tool: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
    command: z.string().min(1).optional(),
    reason: z.string().optional(),
  })
  .refine((rule) => rule.path === undefined || rule.command === undefined, {
    message: "a rule is about a path or about a command, not both",
  })
  .refine((rule) => rule.tool !== undefined || rule.path !== undefined || rule.command !== undefined, {
    message: "a rule names a tool, a path or a command",
  });
export type PolicyRule = z.infer<typeof PolicyRule>;

/** The rule for a call of this tool as a whole: only rules without path and command. */
export function ruleForTool(rules: readonly PolicyRule[], tool: string): PolicyRule | undefined {
  return rules.findLast((rule) => rule.path === undefined && rule.command === undefined && fitsTool(rule, tool));
}

export function ruleForPath(rules: readonly PolicyRule[], tool: string, path: string): PolicyRule | undefined {
  return rules.findLast((rule) => rule.path !== undefined && fitsTool(rule, tool) && globPattern(rule.path)(path));
}

/**
 * The strictest rule over all commands of the line, also behind sudo, env or `sh -c`; an allowance counts only when every
 * command has one as it is written.
 */
export function ruleForCommand(
  rules: readonly PolicyRule[],
  tool: string,
  { commands, programs, complete }: CommandReading,
): PolicyRule | undefined {
  const about = rules.filter((rule) => rule.command !== undefined && fitsTool(rule, tool));
  if (about.length === 0) return undefined;
  const find = (line: string) => about.findLast((rule) => commandPattern(rule.command ?? "").test(line));
  const written = commands
    .map((command) => lineOf(command.words))
    .filter((line) => line !== "")
    .map(find);
  const called = programs.map((program) => find(lineOf([{ text: program.name }, ...program.args])));
  for (const effect of ["deny", "ask"] as const) {
    const strict = [...written, ...called].find((rule) => rule?.effect === effect);
    if (strict !== undefined) return strict;
  }
  const isPlain = complete && commands.every((command) => command.redirects.length === 0);
  return isPlain && written.every((rule) => rule !== undefined) ? written[0] : undefined;
}

/** One command of a line has an allowance of its own, and nothing stricter after it. */
export function isAllowed(rules: readonly PolicyRule[], tool: string, line: string): boolean {
  const about = rules.filter((rule) => rule.command !== undefined && fitsTool(rule, tool));
  return about.findLast((rule) => commandPattern(rule.command ?? "").test(line))?.effect === "allow";
}

function lineOf(words: readonly { readonly text: string }[]): string {
  return words.map((word) => word.text).join(" ");
}

function fitsTool(rule: PolicyRule, tool: string): boolean {
  return rule.tool === undefined || globPattern(rule.tool)(tool);
}

function commandPattern(pattern: string): RegExp {
  const source = pattern.replace(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", "[\\s\\S]*");
  return new RegExp(`^${source}$`);
}
