import type { CalledProgram, CommandReading } from "../bash/called-programs.ts";
import { readOnlyCheck } from "./read-only-programs.ts";

/** True only when every program in the command is known to look and not to touch, and nothing else can run or be set. */
export function onlyReads(reading: CommandReading): boolean {
  const { programs, commands, complete, features, variables } = reading;
  if (!complete || programs.length === 0) return false;
  if (
    ["function", "assignment", "arithmetic", "expansion", "declaration"].some((one) => features.has(one as "function"))
  )
    return false;
  if (commands.some((command) => command.assignments.length > 0 || command.redirects.some(writes))) return false;
  // A loop over PATH or IFS would change what the next word means.
  if (!variables.every((name) => /^[a-z_][a-z0-9_]*$/.test(name))) return false;
  return programs.every(looksOnly);
}

export function looksOnly(program: CalledProgram): boolean {
  const { name, args, through, command } = program;
  // What xargs or command run is judged by their own words, which name it.
  const [first] = through;
  if (first !== undefined && (through.length > 1 || (first !== "xargs" && first !== "command"))) return false;
  const called = command.words.find((word) => word.sure)?.text ?? "";
  if (called.includes("/") && !/^\/(?:usr\/)?bin\/[^/]+$/.test(called)) return false;
  // By its path it would not be the git that PLAN looks after.
  if (called.includes("/") && name === "git") return false;
  if (first === "command") return readOnlyCheck("command")?.(command.words.slice(1)) ?? false;
  if (first === "xargs") return readOnlyCheck("xargs")?.(command.words.slice(1)) ?? false;
  return readOnlyCheck(name)?.(args) ?? false;
}

export function isNetworkFile(text: string): boolean {
  return /^\/+dev\/+(?:tcp|udp)\//.test(text);
}

/** A redirection that writes a file, or reaches out by its name. */
export function writes({ operator, target }: { operator: string; target: { text: string; sure: boolean } }): boolean {
  // bash itself connects to these; an unknown word may be one.
  if (!target.sure || isNetworkFile(target.text)) return true;
  if (!operator.includes(">")) return false;
  return !(target.text === "/dev/null" || (/^[<>]&-?$/.test(operator) && /^(?:\d+|-)$/.test(target.text)));
}
