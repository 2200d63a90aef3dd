import { PolicyRule } from "@muster/codebuff-protocol";

const edits: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
/** Looking needs no rule. */
const looks: ReadonlySet<string> = new Set(["Read", "Grep", "Glob", "LS", "TodoWrite", "Task", "WebSearch"]);

/** `allowed-tools` of a command, such as `Bash(git add:*), Edit`, as rules. What cannot be said as a rule is a fault. */
export function allowedTools(given: string | readonly string[] | undefined): {
  rules: PolicyRule[];
  faults: string[];
} {
  const names = typeof given === "string" ? splitList(given) : (given ?? []);
  const rules: PolicyRule[] = [];
  const faults: string[] = [];
  for (const name of names) {
    const rule = ruleFor(name.trim());
    if (rule === undefined) faults.push(`allowed-tools: ${name.trim()} has no meaning here`);
    else if (rule !== "none") rules.push(rule);
  }
  return { rules, faults };
}

function ruleFor(text: string): PolicyRule | "none" | undefined {
  const [, name = "", argument] = /^([\w-]+)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (looks.has(name)) return "none";
  const rule = ruleOf(name, argument);
  return rule !== undefined && PolicyRule.safeParse(rule).success ? rule : undefined;
}

function ruleOf(name: string, argument: string | undefined): PolicyRule | undefined {
  if (name === "Bash") {
    // A yes to every command is a policy, and that is the person's to choose.
    if (argument === undefined || argument === "" || argument === "*") return undefined;
    return { effect: "allow", command: argument.replace(/:\*$/, " *") };
  }
  if (edits.has(name)) return { effect: "allow", action: "edit", path: argument?.replace(/^\.?\//, "") ?? "**" };
  const [, host] = /^domain:(.+)$/.exec(argument ?? "") ?? [];
  if (name === "WebFetch") return host === undefined ? undefined : { effect: "allow", action: "fetch", host };
  const [, server, tool] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  return server === undefined ? undefined : { effect: "allow", action: "mcp", tool: `${server}__${tool ?? "*"}` };
}

/** At commas and blanks, but not within brackets. */
function splitList(text: string): string[] {
  return [...text.matchAll(/[\w-]+(?:\([^)]*\))?/g)].map(([one]) => one);
}
