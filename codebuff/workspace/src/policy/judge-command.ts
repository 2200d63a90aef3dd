import type { PolicyEffect, PolicyRule } from "@muster/codebuff-protocol";
import type { CalledProgram, CommandReading } from "./bash/called-programs.ts";
import { keyOf, lineOf } from "./bash/command-parts.ts";
import { isPlainCall, namesOfLine, writtenLine } from "./bash/written-command.ts";
import { type Permissions, permissionTable } from "./permissions.ts";
import { looksOnly, onlyReads, writes } from "./read-only/read-only-commands.ts";
import { isBeyondPrefix } from "./risk/beyond-prefix.ts";
import type { CommandRisk } from "./risk/command-risks.ts";
import { allowsLine, strictRuleForLines } from "./rules.ts";
import { ruleForLine, ruleForProgram } from "./suggest-rules.ts";

/** One command of a line that needs a yes. */
export interface CommandPart {
  /** What `always` remembers: the program and its subcommand; for what destroys, the part as it is written. */
  readonly key: string;
  readonly text: string;
  readonly reason: string;
  /** What `always` writes down for this project or everywhere; without it the yes can only last a session. */
  readonly rule?: PolicyRule;
}

export type Judgement =
  | { readonly effect: "allow" }
  | { readonly effect: "deny"; readonly reason: string }
  | { readonly effect: "ask"; readonly reason: string; readonly parts: readonly CommandPart[] };

export interface CommandCase {
  readonly reading: CommandReading;
  readonly risks: readonly CommandRisk[];
  readonly tool: string;
  readonly rules: readonly PolicyRule[];
  readonly permissions: Permissions;
  /** The kernel keeps the command from writing where it may not. */
  readonly confined: boolean;
  /** Where words of strangers were read before. */
  readonly outside?: readonly string[];
  /** Secret files are empty where it runs. */
  readonly hidesSecrets?: boolean;
  /** Keys of parts that were allowed for always. */
  readonly remembered: ReadonlySet<string>;
}

/**
 * Pure. A rule that denies or asks counts for any part of the line. An allowance for the line as it is written covers all of
 * it; else the line is judged by its parts: what is allowed already is not asked again, the rest is asked once.
 */
export function judgeCommand(given: CommandCase): Judgement {
  const { reading, rules, tool, risks } = given;
  const strict = strictRuleForLines(rules, tool, namesOfLine(reading));
  if (strict !== undefined) {
    const reason = strict.reason ?? "a rule asks for it";
    return settle(strict.effect, [{ key: reading.text, text: reading.text, reason }], given.remembered);
  }
  const isWritten = allowsLine(rules, tool, reading.text.trim(), "exact");
  if (isWritten && !risks.some(({ here }) => here === true)) return { effect: "allow" };
  const found = [...riskyParts(given), ...unknownParts(given)];
  const denied = found.filter((one) => one.effect === "deny").map((one) => one.part);
  if (denied.length > 0) return settle("deny", denied, given.remembered);
  return settle(
    "ask",
    found.map((one) => one.part),
    given.remembered,
  );
}

interface Finding {
  readonly effect: PolicyEffect;
  readonly part: CommandPart;
}

/** No rule for what begins with some words, nor for a part, covers these: they destroy, leave the project or name a secret. */
function riskyParts({ risks, permissions, reading, hidesSecrets, outside = [] }: CommandCase): Finding[] {
  const table = permissionTable[permissions];
  return risks.flatMap((risk) => {
    const { danger, detail, part: text, key } = risk;
    // Words of others that come in are no danger before something goes out.
    if (danger === "fetches" || (danger === "sends" && outside.length === 0)) return [];
    if (table[danger] === "allow" || (risk.swept === true && hidesSecrets === true)) return [];
    const why = danger === "sends" ? `after words of strangers were read: ${outside.join(", ")}` : detail;
    const rule = risk.here === true ? undefined : ruleForLine(reading);
    return [{ effect: table[danger], part: { key, text, reason: `${danger} (${why})`, rule } }];
  });
}

/** Where commands are asked for: all that are not known to look only. */
function unknownParts(given: CommandCase): Finding[] {
  const { reading, permissions, confined } = given;
  const effect = confined ? "allow" : permissions === "sandboxed" ? "deny" : permissionTable[permissions].command;
  if (effect === "allow" || onlyReads(reading)) return [];
  const why =
    permissions === "sandboxed"
      ? "the kernel of this machine offers no sandbox, so only commands known to be read-only run"
      : "not known to be read-only";
  const programs = reading.programs.filter(
    (program) => !looksOnly(program) && !isAllowed(program, given) && !(reading.complete && isShellCall(program)),
  );
  const redirects = reading.commands.flatMap((command) => command.redirects.filter(writes));
  const parts = [
    ...programs.map((program) => ({ ...partOf(program, why), rule: ruleForProgram(program, given) })),
    ...redirects.map(({ operator, target }) => textPart(`${operator} ${target.text}`, "writes a file")),
  ];
  const isAllByRule =
    parts.length === 0 && reading.complete && reading.programs.length > 0 && reading.features.size === 0;
  if (isAllByRule) return [];
  return (parts.length > 0 ? parts : [textPart(reading.text, why)]).map((part) => ({ effect, part }));
}

/** One program of a line has an allowance of its own. One for what begins with its words covers nothing that reaches further. */
function isAllowed(program: CalledProgram, { rules, tool, risks, reading }: CommandCase): boolean {
  if (!isPlainCall(program) || !reading.complete || reading.features.size > 0) return false;
  const line = writtenLine(program.command);
  if (allowsLine(rules, tool, line, "exact")) return true;
  return !isBeyondPrefix(program, risks) && allowsLine(rules, tool, line, "prefix");
}

/** `bash -c '…'` is what stands in its text, and that has parts of its own. */
function isShellCall({ name, args }: CalledProgram): boolean {
  return name === "eval" || (/^(?:ba|da|z|k|a)?sh$/.test(name) && /^-[a-z]*c$/.test(args[0]?.text ?? ""));
}

function mergeByKey(parts: readonly CommandPart[]): CommandPart[] {
  const merged = new Map<string, CommandPart>();
  for (const part of parts) {
    const before = merged.get(part.key);
    const reason =
      before === undefined || before.reason === part.reason ? part.reason : `${before.reason}; ${part.reason}`;
    merged.set(part.key, { ...part, reason });
  }
  return [...merged.values()];
}

function partOf(program: CalledProgram, reason: string): CommandPart {
  return { key: keyOf(program), text: lineOf(program), reason };
}

function textPart(text: string, reason: string): CommandPart {
  return { key: text, text, reason };
}

function settle(effect: PolicyEffect, parts: readonly CommandPart[], remembered: ReadonlySet<string>): Judgement {
  if (effect === "allow") return { effect };
  const open = effect === "deny" ? parts : parts.filter((part) => !remembered.has(part.key));
  if (open.length === 0) return { effect: "allow" };
  const reason = [...new Set(open.map((part) => part.reason))].join("; ");
  return effect === "deny" ? { effect, reason } : { effect, reason, parts: mergeByKey(open) };
}
