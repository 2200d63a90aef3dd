import { expect, it } from "vitest";
import { ownHome } from "./own-home.ts";
import { openTerminal } from "./terminal.ts";

const place = ownHome();

const open = (...args: string[]) => openTerminal(args, { ...place });
const asks = "[y]es, [a]lways, [n]o (and why) › ";

it("an answer is typed once; one that is not understood is asked for again", async () => {
  const terminal = open("run", "mock", "permission rm -rf build");
  await terminal.shows("? Run rm -rf build\n");
  await terminal.shows(asks);
  terminal.type("perhaps\r");
  await terminal.shows(asks);
  terminal.type("y\r");
  expect(await terminal.exit).toBe(0);
  expect(terminal.written()).toContain("I was allowed to: rm -rf build");
  expect(terminal.written().split(asks)).toHaveLength(3);
});

it("a question is answered by its number, and a no is told with its reason", async () => {
  const question = open("run", "mock", "question");
  await question.shows("a number or your own words › ");
  question.type("2\r");
  expect(await question.exit).toBe(0);
  expect(question.written()).toContain("You answered: Blue");
  const permission = open("run", "mock", "--continue", "permission");
  await permission.shows(asks);
  permission.type("n not today\r");
  expect(await permission.exit).toBe(0);
  expect(permission.written()).toContain("not today");
});

it("chat says with whom, takes one line after the other, and leaves at the end of its input", async () => {
  const terminal = open("chat", "mock");
  await terminal.shows(`in ${place.directory} · session ses_`);
  await terminal.shows("Ctrl-C interrupts, Ctrl-D leaves");
  await terminal.shows("› ");
  terminal.type("echo one\r");
  await terminal.shows("\none\n");
  await terminal.shows("\n› ");
  terminal.type("echo two\r");
  await terminal.shows("\ntwo\n");
  await terminal.shows("\n› ");
  terminal.type("\x04");
  expect(await terminal.exit).toBe(0);
  expect((await terminal.everything()).match(/^one$/gm)).toHaveLength(1);
});

it("Ctrl-C interrupts the turn and says so once; at the prompt it asks for a second one", async () => {
  const terminal = open("chat", "mock", "slow 60000");
  await terminal.shows("Ctrl-D leaves");
  await terminal.shows("tick");
  terminal.type("\x03");
  await terminal.shows("interrupting; Ctrl-C again leaves");
  await terminal.shows("\ninterrupted\n");
  await terminal.shows("\n› ");
  terminal.type("\x03");
  await terminal.shows("Ctrl-C again leaves\n");
  await terminal.shows("› ");
  terminal.type("\x03");
  expect(await terminal.exit).toBe(130);
});
