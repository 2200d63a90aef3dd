import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { type CodebuffClientOptions, listCommands } from "../../src/index.ts";
import { call, resultOf, runWorld } from "../run-world.ts";

const review = `---
description: Reviews a pull request
argument-hint: [number] [focus]
allowed-tools: Bash(touch:*)
model: opus
---
Review pull request $1, above all $2.
All that was said: $ARGUMENTS
Branch: !\`echo on main\`
Made: !\`touch by-command.txt && echo made\`
`;
const files = { ".claude/commands/review.md": review, ".agents/commands/front/test.md": "# Test it\nRun the tests." };
const used: CodebuffClientOptions = { commands: true, trust: () => true, permissions: "default" };
const done = [{ text: "Done.", times: "always" as const }];
const bodyOf = (request: unknown) => (request as { body: { model: string; messages: unknown } }).body;

it("a prompt that names a command is its text, with arguments, what its commands printed, and its model", async () => {
  const world = await runWorld(done, { files, options: used });
  await world.run({ prompt: '/review 12 "the tests"' });
  const { model, messages } = bodyOf(world.llm.requests()[0]);
  const text = JSON.stringify(messages);
  expect(model).toContain("opus");
  expect(text).toContain("Review pull request 12, above all the tests.");
  expect(text).toContain('All that was said: 12 \\\\"the tests\\\\"'.replaceAll("\\\\", "\\"));
  expect(text).toContain("Branch: on main");
  expect(text).toContain("Made: made");
});

it("what it allows holds while it works, and not in the next prompt", async () => {
  const touch = (name: string) => ({ tools: [call("run_terminal_command", { command: `touch ${name}` })] });
  const world = await runWorld([touch("a"), { text: "Done." }, touch("b"), { text: "Done." }], {
    files,
    options: used,
  });
  await world.run({ prompt: "/review 1" });
  await world.run({ prompt: "again" });
  expect(resultOf(world.events, "run_terminal_command", 0)).toMatchObject({ exitCode: 0 });
  expect(JSON.stringify(resultOf(world.events, "run_terminal_command", 1))).toContain("Denied by policy");
});

it("an argument is no part of the shell's text", async () => {
  const body = "---\nallowed-tools: Bash(echo:*)\n---\nSaid: !`echo $ARGUMENTS`";
  const world = await runWorld(done, { files: { ".agents/commands/say.md": body }, options: used });
  await world.run({ prompt: "/say x; touch stolen.txt $(touch stolen.txt)" });
  expect(JSON.stringify(world.llm.requests())).toContain("Said: x; touch stolen.txt $(touch stolen.txt)");
  await world.run({ prompt: "ls", agent: "tester" });
  expect(await import("node:fs").then(({ existsSync }) => existsSync(join(world.cwd, "stolen.txt")))).toBe(false);
});

it("a command of its text that would be asked for does not run, and the model reads why", async () => {
  const body = "Now: !`touch made.txt`";
  const world = await runWorld(done, { files: { ".agents/commands/make.md": body }, options: used });
  await world.run({ prompt: "/make" });
  expect(JSON.stringify(world.llm.requests())).toContain("[touch made.txt was not run: Denied by policy");
});

it("of a project it has to be accepted; the person's own need not; one that is not there is a prompt", async () => {
  const world = await runWorld(done, { files, options: { commands: true } });
  const { output } = await world.run({ prompt: "/front:test" });
  expect(output).toMatchObject({ type: "error", error: "untrusted_command" });
  expect(world.llm.requests()).toEqual([]);
  const own = join(world.home, ".claude/commands/own.md");
  await mkdir(dirname(own), { recursive: true });
  await writeFile(own, "My own way.");
  await world.run({ prompt: "/own now" });
  expect(JSON.stringify(world.llm.requests().at(-1))).toContain("My own way.\\n\\nARGUMENTS: now");
  await world.run({ prompt: "/usr/bin/env is missing" });
  expect(JSON.stringify(world.llm.requests().at(-1))).toContain("<user_message>/usr/bin/env is missing");
});

it("the list names those of both folders, with their folders, and the nearer one of a name", async () => {
  const world = await runWorld(done, { files });
  const own = join(world.home, ".agents/commands/review.md");
  await mkdir(dirname(own), { recursive: true });
  await writeFile(own, "Mine.");
  const found = await listCommands({ cwd: world.cwd, home: world.home });
  expect(found.map(({ name, whose, description, hint }) => [name, whose, description, hint])).toEqual([
    ["front:test", "project", "Test it", ""],
    ["review", "project", "Reviews a pull request", "[number] [focus]"],
  ]);
});
