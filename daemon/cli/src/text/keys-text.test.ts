import { expect, it } from "vitest";
import { keysText } from "./keys-text.ts";

const found = [
  { agent: "claude", provider: "anthropic", source: "environment ANTHROPIC_API_KEY" },
  { agent: "opencode", provider: "anthropic", source: "environment ANTHROPIC_API_KEY" },
  { agent: "codex", provider: "openai", source: "~/.codex/auth.json OPENAI_API_KEY" },
];
const lines = (places: Partial<Parameters<typeof keysText>[0]>) =>
  keysText({ credentials: [], isErasable: true, isRoot: true, ...places })
    .trimEnd()
    .split("\n");

const first =
  "keys: agents that reach their model through the gateway have a placeholder; amp, and a ChatGPT or Codebuff login, do not";
const wall = (name: string) =>
  `keys: the same user can also read a daemon's memory where the kernel allows it; the wall is ${name}`;

it("where nothing was found doctor says what holds and what the wall is", () => {
  expect(lines({})).toEqual([first, wall("--agent-user")]);
  expect(lines({ isRoot: false })).toEqual([first, wall("a daemon of root with --agent-user")]);
});

it("a variable is named once, with whether /proc/<pid>/environ of a daemon shows it; a file is one that agents can read", () => {
  const where = "keys: ANTHROPIC_API_KEY in the environment";
  const file = "keys: agents of the same user can read ~/.codex/auth.json";
  expect(lines({ credentials: found })).toEqual([
    first,
    `${where} are taken out of /proc/<pid>/environ of a daemon when it starts`,
    file,
    wall("--agent-user"),
  ]);
  expect(lines({ credentials: found, isErasable: false })).toContain(
    `${where} stay readable at /proc/<pid>/environ of a daemon for every program of its user`,
  );
});

it("no letter of a path reaches the terminal as a command to it", () => {
  const source = "~/.co\u001b[2Jdex/auth.json OPENAI_API_KEY";
  expect(lines({ credentials: [{ agent: "codex", provider: "openai", source }] }).join("\n")).not.toContain("\u001b");
});
