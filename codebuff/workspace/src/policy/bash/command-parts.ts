import type { CalledProgram } from "./called-programs.ts";

/** The program with its words, for people and for rules. */
export function lineOf({ through, name, args }: CalledProgram): string {
  return [...through, name, ...args.map((arg) => arg.text)].join(" ").slice(0, 400);
}

/** Programs whose first word says what they do. */
const withSubcommands =
  /^(?:git|npm|pnpm|yarn|bun|deno|cargo|go|docker|podman|kubectl|helm|terraform|gh|make|just|task|pip3?|uv|poetry|apt|apt-get|brew|systemctl|dotnet|mvn|gradle|composer|bundle|rake|rails|nx|turbo)$/;
const scripts = /^(?:run|run-script|exec|x|compose|tool|mod|stash|remote|submodule|worktree)$/;
const interpreters = /^(?:node|python[\d.]*|ruby|perl|php|tsx|ts-node|sh|bash|zsh|dash)$/;

/**
 * What `always` remembers: the program and its subcommand (`git push`, `npm run build`, `python3 tool.py`). Code in the
 * words themselves, or a program nobody can name, is remembered only as it is written.
 */
export function keyOf(program: CalledProgram): string {
  const { through, name, args } = program;
  if (
    name === "" ||
    args.some((arg) => /^(?:-[a-zA-Z]*[ce]|--eval|--print|-p)$/.test(arg.text) && interpreters.test(name))
  ) {
    return lineOf(program);
  }
  const operands = args.filter((arg) => !arg.text.startsWith("-")).map((arg) => arg.text);
  const count = interpreters.test(name)
    ? 1
    : withSubcommands.test(name)
      ? scripts.test(operands[0] ?? "")
        ? 2
        : 1
      : 0;
  return [...through, name, ...operands.slice(0, count)].join(" ");
}
