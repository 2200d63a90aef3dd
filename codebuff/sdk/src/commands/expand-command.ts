import { writeCustomCommand } from "@muster/codebuff-protocol";
import type { CommandVerdict } from "@muster/codebuff-workspace";
import { quoteForShell } from "@muster/core";
import { runHook } from "../hooks/run-hook.ts";
import type { CustomCommand } from "./custom-command.ts";

export interface Expansion {
  readonly command: CustomCommand;
  /** What was typed behind the name. */
  readonly given: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Whether a command of the text may run, and as what. */
  readonly judge: (text: string) => Promise<CommandVerdict>;
}

const limitMs = 60_000;
const mostCharacters = 30_000;

/** The prompt that a command stands for, in a form from which what was typed can be read again. */
export async function expandCommand(expansion: Expansion): Promise<string> {
  const { command, given } = expansion;
  const typed = `/${command.name}${given === "" ? "" : ` ${given}`}`;
  // Commands first: what was typed is no part of the shell's text but by their own placeholders.
  const pieces = command.body.split(/!`([^`\n]+)`/g);
  const texts = await Promise.all(
    pieces.map((piece, at) => (at % 2 === 0 ? place(piece, given, (text) => text) : outputOf(piece, expansion))),
  );
  const takes = /\$(?:ARGUMENTS\b|[1-9])/.test(command.body);
  const rest = takes || given === "" ? "" : `\n\nARGUMENTS: ${given}`;
  return writeCustomCommand(typed, `${texts.join("")}${rest}`);
}

/** `$ARGUMENTS` is all that was typed, `$1` its first word; words may stand in quotes. */
function place(text: string, given: string, write: (value: string) => string): string {
  const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  return text.replace(/\$(ARGUMENTS\b|[1-9])/g, (_, name: string) =>
    write(name === "ARGUMENTS" ? given : (words[Number(name) - 1] ?? "")),
  );
}

async function outputOf(text: string, { given, cwd, env, signal, judge }: Expansion): Promise<string> {
  const line = place(text, given, quoteForShell);
  const verdict = await judge(line);
  if (!verdict.ok) return `[${line} was not run: ${verdict.message}]`;
  const run = { command: line, runAs: verdict.run, input: {}, cwd, env, timeoutMs: limitMs, signal };
  const { stdout, stderr, exitCode, failure } = await runHook(run);
  const said = [stdout, stderr].map((one) => one.trimEnd()).filter((one) => one !== "");
  const cut = said.join("\n");
  const shown =
    cut.length > mostCharacters
      ? `${cut.slice(0, mostCharacters)}\n[… ${cut.length - mostCharacters} more characters]`
      : cut;
  const failed = exitCode === 0 ? "" : `\n[${failure ?? `exit code ${exitCode}`}]`;
  return `${shown}${failed}`;
}
