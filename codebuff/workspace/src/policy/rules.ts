import type { PolicyAction, PolicyEffect, PolicyRule } from "@muster/codebuff-protocol";
import { globPattern } from "../search/glob-pattern.ts";

/** The strictest of the rules that fit: deny before ask before allow, wherever they stand. */
function strictest(rules: readonly PolicyRule[]): PolicyRule | undefined {
  const by = (effect: PolicyEffect) => rules.find((rule) => rule.effect === effect);
  return by("deny") ?? by("ask") ?? by("allow");
}

/** The rule for a call of this tool as a whole: only rules without path, command and host. */
export function ruleForTool(
  rules: readonly PolicyRule[],
  tool: string,
  action: PolicyAction = "other",
): PolicyRule | undefined {
  const fits = (rule: PolicyRule) => isGeneral(rule) && fitsCall(rule, tool, action) && isAboutTools(rule, action);
  return strictest(rules.filter(fits));
}

/** `names` are a file's name in the project and where it leads to: an allowance has to fit both, a refusal either of them. */
export function ruleForPath(
  rules: readonly PolicyRule[],
  call: { readonly tool: string; readonly action: PolicyAction },
  names: readonly string[],
): PolicyRule | undefined {
  const fits = (rule: PolicyRule) => {
    if (!fitsCall(rule, call.tool, call.action)) return false;
    if (isGeneral(rule)) return rule.action === call.action && rule.tool === undefined;
    if (rule.path === undefined) return false;
    const matches = globPattern(rule.path);
    return rule.effect === "allow" ? names.every(matches) : names.some(matches);
  };
  return strictest(rules.filter(fits));
}

/** An allowance that names this very file, so that it may open one that holds secrets. */
export function namesFile({ path = "" }: PolicyRule): boolean {
  return !/[*?[{]/.test(path.replaceAll(/\\./g, ""));
}

export function ruleForHost(rules: readonly PolicyRule[], tool: string, host: string): PolicyRule | undefined {
  const fits = (rule: PolicyRule) => {
    if (!fitsCall(rule, tool, "fetch")) return false;
    if (isGeneral(rule)) return rule.action === "fetch" && rule.tool === undefined;
    return rule.host !== undefined && fitsHost(rule.host.toLowerCase(), host.toLowerCase());
  };
  return strictest(rules.filter(fits));
}

/** The rule that denies or asks for one of these lines. `*` stands for anything in it. */
export function strictRuleForLines(
  rules: readonly PolicyRule[],
  tool: string,
  lines: readonly string[],
): PolicyRule | undefined {
  const fits = (rule: PolicyRule) => {
    if (rule.effect === "allow" || !fitsCall(rule, tool, "execute")) return false;
    if (isGeneral(rule)) return rule.action === "execute" && rule.tool === undefined;
    const { command } = rule;
    return command !== undefined && lines.some((line) => commandPattern(command).test(line));
  };
  return strictest(rules.filter(fits));
}

/** The allowance for a command as it is written, or for whatever begins with its words. */
export function allowsLine(rules: readonly PolicyRule[], tool: string, line: string, by: "exact" | "prefix"): boolean {
  return rules.some((rule) => {
    const { effect, command } = rule;
    if (effect !== "allow" || command === undefined || !fitsCall(rule, tool, "execute")) return false;
    if (!command.endsWith(" *")) return by === "exact" && line === command;
    // The boundary of a word: `npm run *` is not `npm runaway`.
    const words = command.slice(0, -2);
    return by === "prefix" && (line === words || line.startsWith(`${words} `));
  });
}

function isGeneral({ path, command, host }: PolicyRule): boolean {
  return path === undefined && command === undefined && host === undefined;
}

/** A rule with an action alone is about that action, and only MCP tools and what has no action of its own are calls as a whole. */
function isAboutTools(rule: PolicyRule, action: PolicyAction): boolean {
  return rule.tool !== undefined || rule.action === action;
}

function fitsCall(rule: PolicyRule, tool: string, action: PolicyAction): boolean {
  return (
    (rule.tool === undefined || globPattern(rule.tool)(tool)) && (rule.action === undefined || rule.action === action)
  );
}

function fitsHost(wanted: string, host: string): boolean {
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : wanted === host;
}

function commandPattern(command: string): RegExp {
  const quote = (text: string) => text.replace(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", "[\\s\\S]*");
  return command.endsWith(" *")
    ? new RegExp(`^${quote(command.slice(0, -2))}(?:\\s[\\s\\S]*)?$`)
    : new RegExp(`^${quote(command)}$`);
}
