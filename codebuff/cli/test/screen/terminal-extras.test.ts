import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, openScreen } from "./screen-world.ts";

const link = (path: string) => `\u001b]8;;file://${hostname()}${path}\u001b\\`;
const answer = "\u001b]7501;?\u001b\\";

describe("links", () => {
  const turns = [
    { tools: [call("write_file", { path: "src/a b.ts", instructions: "x", content: "one\n" })] },
    { text: "See [the page](https://example.com/a) and [this](javascript:alert(1))." },
  ];

  it("lead from a call and its diff to the file, and from an answer to the page", async () => {
    const world = await openScreen({ turns });
    world.enter("go");
    await world.said("See the page");
    await world.idle();
    const { written } = world.terminal;
    expect(written.split(link(join(world.project, "src/a%20b.ts"))).length).toBeGreaterThan(2);
    expect(written).toContain("\u001b]8;;https://example.com/a\u001b\\");
    expect(written).not.toMatch(/\]8;;javascript/);
    const opened = written.split("\u001b]8;;").length - 1;
    expect(written.split("\u001b]8;;\u001b\\").length - 1).toBe(opened / 2);
  });

  it("are left out where the terminal would show them as letters", async () => {
    const world = await openScreen({ turns, env: { TERM: "linux" } });
    world.enter("go");
    await world.said("See the page");
    expect(world.terminal.written).not.toContain("\u001b]8;");
  });
});

it("a terminal that knows the program status is told when the agent works, waits and has ended", async () => {
  const world = await openScreen({
    flags: { permissions: "default" },
    turns: [{ tools: [call("run_terminal_command", { command: "touch x" })] }, { text: "Done." }],
  });
  expect(world.terminal.written).toContain(answer);
  world.terminal.send(answer);
  world.enter("go");
  await world.shows("Allow once");
  await world.guardPassed();
  world.terminal.type("1");
  await world.said("Done.");
  await world.idle();
  await world.leave();
  const told = world.terminal.written
    .split("\u001b]7501;state=")
    .slice(1)
    .map((rest) => `state=${rest.split("\u001b")[0]?.replace(/:msg=.*/, "")}`);
  // The prompt itself is told as soon as it stands in the conversation.
  expect(told.filter((body, at) => body !== told[at - 1])).toEqual([
    "state=idle:app=codebuff",
    "state=working:app=codebuff",
    "state=blocked:app=codebuff:kind=permission",
    "state=working:app=codebuff",
    "state=done:app=codebuff",
    "state=clear",
  ]);
});

describe("a theme of the person's own", () => {
  const theme =
    '{\n  // of the sea\n  "base": "light",\n  "user": "bold #00afd7 on 17",\n  "acent": "cyan",\n  "good": "grean"\n}\n';

  it("colours what it names, says with its line what is wrong, and is taken by /theme", async () => {
    const world = await openScreen({ flags: { theme: "dark" } });
    await mkdir(join(world.home, ".codebuff", "themes"), { recursive: true });
    await writeFile(join(world.home, ".codebuff", "themes", "sea.json"), theme);
    world.enter("/theme pink");
    await world.said("There is no theme pink. /theme takes one of auto, dark, light, sea.");
    world.enter("/theme sea");
    await world.said("The sea theme from here on.");
    await world.said(/sea\.json, line 5: acent is no setting; did you\s+mean accent\?/);
    await world.said(/sea\.json, line 6: good is no style: such as/);
    world.enter("ahoy");
    await world.said("Hello.");
    expect(world.terminal.written).toContain("\u001b[1;38;2;0;175;215;48;5;17m");
    world.enter("/theme:toggle");
    await world.said("The light theme from here on.");
  });
});
