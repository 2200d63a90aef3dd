import { type PolicyAction, PolicyRule } from "@muster/codebuff-protocol";
import type { CalledProgram, CommandReading } from "./bash/called-programs.ts";
import { keyOf } from "./bash/command-parts.ts";
import { isPlainCall, writtenLine } from "./bash/written-command.ts";
import { isBeyondPrefix } from "./risk/beyond-prefix.ts";
import type { CommandRisk } from "./risk/command-risks.ts";

/** The rule for a program of a line: what begins with its program and subcommand where that says enough, else as it is written. */
export function ruleForProgram(
  program: CalledProgram,
  { risks, reading }: { readonly risks: readonly CommandRisk[]; readonly reading: CommandReading },
): PolicyRule | undefined {
  if (!isPlainCall(program) || !reading.complete || reading.features.size > 0) return undefined;
  const line = writtenLine(program.command);
  const words = keyOf(program);
  const isPrefix = words.includes(" ") && (line === words || line.startsWith(`${words} `));
  return (isPrefix && !isBeyondPrefix(program, risks) ? allowed(`${words} *`) : undefined) ?? allowed(line);
}

/** The rule for a line that reaches further: for these very words, where they are one plain command. */
export function ruleForLine(reading: CommandReading): PolicyRule | undefined {
  const [program] = reading.programs;
  const [command] = reading.commands;
  const isOne = reading.programs.length === 1 && reading.commands.length === 1 && command?.redirects.length === 0;
  if (!isOne || program === undefined || !isPlainCall(program) || !reading.complete || reading.features.size > 0)
    return undefined;
  return allowed(reading.text.trim());
}

/** The rule for a call that is about a path, a page or a tool. */
export function rulesForCall(
  action: PolicyAction,
  { tool, paths = [], url }: { readonly tool: string; readonly paths?: readonly string[]; readonly url?: string },
): PolicyRule[] {
  if (url !== undefined) return [{ effect: "allow", action: "fetch", host: new URL(url).hostname }];
  if (action === "edit" || action === "read")
    return paths.map((path) => ({ effect: "allow", action, path: escapeGlob(path) }));
  return action === "mcp" ? [{ effect: "allow", action, tool }] : [{ effect: "allow", tool }];
}

/** Undefined where a rule cannot say it: one line, no `*` that is meant as it is. */
function allowed(command: string): PolicyRule | undefined {
  if (/[\n\r]/.test(command) || command.length > 400) return undefined;
  const rule = { effect: "allow", command } as const;
  return PolicyRule.safeParse(rule).success ? rule : undefined;
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{},\\]/g, "\\$&");
}
