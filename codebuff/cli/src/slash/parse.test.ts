import { expect, it } from "vitest";
import { parseInput } from "./parse.ts";
import { slashCommands } from "./table.ts";

it("every name and alias is one command's alone", () => {
  const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it("the table has every documented command", () => {
  const documented =
    "new history compact context vim export init agent btw mode:default mode:free mode:max mode:plan plan review interview model agents diff undo redo checkpoint checkpoints ps stop bash image skill: mcp skills login logout usage connect feedback publish help theme theme:toggle permissions variant config trust copy diagnostics exit";
  expect(slashCommands.map(({ name }) => name).sort()).toEqual(documented.split(" ").sort());
});

it.each([
  ["/new", "new", ""],
  ["/clear", "new", ""],
  ["/btw  use b.ts \nplease", "btw", "use b.ts \nplease"],
  ["/MODE:plan", "mode:plan", ""],
  ["/skill:review the diff", "skill:", "review the diff"],
  ["/?", "help", ""],
  ["help", "help", ""],
  ["exit", "exit", ""],
])("%j is /%s", (typed, name, argument) => {
  const parsed = parseInput(typed);
  expect(parsed.kind === "command" ? [parsed.command.name, parsed.argument] : parsed).toEqual([name, argument]);
});

it.each(["what is new?", "undo", "/usr/bin/env is missing", "look at /tmp", "help me"])("%j is a prompt", (typed) => {
  expect(parseInput(typed)).toEqual({ kind: "prompt" });
});

it("a mistyped command is not sent, and the nearest one is named", () => {
  expect(parseInput("/hlep")).toEqual({ kind: "unknown", name: "hlep", nearest: "help" });
  expect(parseInput("/undp")).toMatchObject({ nearest: "undo" });
});
