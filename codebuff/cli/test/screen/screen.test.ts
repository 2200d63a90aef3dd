import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, openScreen } from "./screen-world.ts";

/** What differs from run to run. */
function still(screen: string): string {
  return screen
    .replace(/codebuff [\d.]+ · \S+/, "codebuff VERSION · PLACE")
    .replaceAll(/[\d.]+ m?s · \$[\d.]+/g, "TIME · COST")
    .replaceAll(/ · [\d.]+ s$/gm, "")
    .replaceAll(/ +$/gm, "")
    .replaceAll(/\d+ % context · \$[\d.]+/g, "CONTEXT · COST");
}

describe("a prompt", () => {
  it("shows what was asked, what was done and what it cost, in the terminal's own scrollback", async () => {
    const world = await openScreen({
      turns: [
        { text: "Let me **look**.\n", tools: [call("read_files", { paths: ["a.ts"] })] },
        { text: "It says:\n\n```ts\nconst a = 1;\n```\n\n| name | value |\n|---|---|\n| a | 1 |\n" },
      ],
      files: { "a.ts": "const a = 1;\n" },
    });
    world.enter("what is in a.ts?");
    await world.said("% context");
    expect(still(await world.terminal.screen()).split("\n")).toEqual([
      "codebuff VERSION · PLACE · /help",
      "",
      "› what is in a.ts?",
      "",
      "Let me look.",
      "",
      "✓ read_files a.ts",
      "",
      "It says:",
      "",
      "```ts",
      "const a = 1;",
      "```",
      "",
      "name  value",
      "────  ─────",
      "a     1",
      "",
      "TIME · COST",
      "",
      "›",
      "DEFAULT · allow · anthropic/claude-sonnet-4.6 · CONTEXT · COST · /help",
    ]);
    const styled = await world.terminal.styled();
    expect(styled).toContain("{bold fg6|what is in a.ts?}");
    expect(styled).toContain("Let me {bold|look}.");
    expect(styled).toContain("{fg5|const} a = {fg3|1};");
    expect(await world.leave()).toBe(0);
    expect(world.stdout()).toMatch(/^codebuff --continue s_\w+\n$/);
  });

  it("is interrupted by Escape, and the screen says so", async () => {
    const world = await openScreen({ turns: [{ text: "word ".repeat(4000), pace: { chars: 5, delayMs: 20 } }] });
    world.enter("write a lot");
    await world.shows("word word");
    world.terminal.press("escape");
    await world.said(/^interrupted · /m);
    expect(await world.terminal.screen()).not.toContain("esc interrupts");
  });

  it("waits in a visible queue while the agent works, and is sent when it is done", async () => {
    const world = await openScreen({
      turns: [{ text: "one ".repeat(200), pace: { chars: 8, delayMs: 10 } }, { text: "Second answer." }],
    });
    world.enter("first");
    await world.shows("one one");
    world.enter("second");
    await world.shows("1 queued: second");
    await world.said("Second answer.");
    expect((await world.terminal.everything()).filter((line) => line.startsWith("›")).slice(0, 2)).toEqual([
      "› first",
      "› second",
    ]);
  });

  it("is taken back from the queue into the editor by alt+up", async () => {
    const world = await openScreen({ turns: [{ text: "one ".repeat(2000), pace: { chars: 8, delayMs: 20 } }] });
    world.enter("first");
    await world.shows("one one");
    world.enter("second thought");
    await world.shows("1 queued: second thought");
    world.terminal.press("alt+up");
    await world.shows("› second thought");
    expect(await world.terminal.screen()).not.toContain("queued");
    world.terminal.press("ctrl+c", "escape");
    await world.said(/^interrupted/m);
  });

  it("steers the running agent with /btw, and the screen tells when it has arrived", async () => {
    const world = await openScreen({
      turns: [
        { text: "I wait. ", tools: [call("run_terminal_command", { command: "sleep 1" })] },
        { match: { body: "use the other file" }, text: "The other file it is." },
        { text: "Nobody told me anything." },
      ],
    });
    world.enter("go");
    await world.shows("run_terminal_command sleep 1");
    world.enter("/btw use the other file");
    await world.said("↳ use the other file");
    await world.said("The other file it is.");
  });
});

describe("questions of the agent", () => {
  const question = {
    questions: [
      { question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres", description: "a server" }] },
      { question: "Which extras?", options: [{ label: "Cache" }, { label: "Queue" }], multiSelect: true },
    ],
  };
  const asked = [
    { tools: [call("ask_user", question)] },
    { match: { toolResult: "Postgres" }, text: "Postgres then." },
    { match: { toolResult: "skipped" }, text: "Then I decide." },
    { text: "Unexpected." },
  ];

  it("are menus; several may be chosen, and keys that came too soon do not answer", async () => {
    const world = await openScreen({ turns: asked });
    world.enter("set it up");
    await world.shows("1 of 2: Which database?");
    world.terminal.type("2");
    expect(await world.terminal.screen()).toContain("1 of 2: Which database?");
    await world.guardPassed();
    world.terminal.press("down", "enter");
    await world.shows("2 of 2: Which extras?");
    await world.guardPassed();
    world.terminal.type(" ");
    world.terminal.press("down");
    world.terminal.type(" ");
    await world.shows("☒ Queue");
    world.terminal.press("enter");
    await world.said("Postgres then.");
    // What was typed too soon stands in the draft.
    await world.shows("› 2");
  });

  it("are skipped by Escape; a second Escape interrupts", async () => {
    const world = await openScreen({ turns: asked });
    world.enter("set it up");
    await world.shows("1 of 2: Which database?");
    await world.guardPassed();
    world.terminal.press("escape");
    await world.said("Then I decide.");
  });
});

describe("permissions", () => {
  it("ask once for the parts of a pipeline, and always remembers those parts", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      turns: [
        { tools: [call("run_terminal_command", { command: "ls | touch one.txt && mkdir two" })] },
        { tools: [call("run_terminal_command", { command: "mkdir three; touch four.txt" })] },
        { text: "All made." },
      ],
    });
    world.enter("make files");
    await world.shows("always: touch, mkdir");
    expect(await world.terminal.screen()).toContain("ls | touch one.txt && mkdir two");
    await world.guardPassed();
    world.terminal.type("2");
    await world.said("All made.");
    expect(existsSync(join(world.project, "four.txt"))).toBe(true);
    expect((await world.terminal.everything()).join("\n")).toContain("always allowed");
  });

  it("show the diff of an edit, and a denial with words reaches the model", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      files: { "a.txt": "old line\n" },
      turns: [
        { tools: [call("write_file", { path: "a.txt", instructions: "x", content: "new line\n" })] },
        { match: { toolResult: "use b.txt" }, text: "b.txt then." },
        { text: "Unexpected." },
      ],
    });
    world.enter("change it");
    await world.shows("+new line");
    expect(await world.terminal.screen()).toContain("-old line");
    await world.guardPassed();
    world.terminal.type("4use b.txt");
    world.terminal.press("enter");
    await world.said("b.txt then.");
    expect(await readFile(join(world.project, "a.txt"), "utf8")).toBe("old line\n");
  });

  it("leave with the run they belong to", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      turns: [{ tools: [call("run_terminal_command", { command: "touch x" })] }, { text: "Go on." }],
    });
    world.enter("go");
    await world.shows("Allow once");
    await world.guardPassed();
    world.terminal.press("escape");
    await world.idle();
    expect(await world.terminal.screen()).not.toContain("Allow once");
    expect(existsSync(join(world.project, "x"))).toBe(false);
  });
});

describe("commands of the person", () => {
  it("run in a shell that stays, and their output goes with the next prompt", async () => {
    const world = await openScreen({
      turns: [{ match: { body: "user_terminal_commands" }, text: "I saw it." }, { text: "I saw nothing." }],
    });
    world.terminal.type("!");
    world.terminal.type("mkdir -p sub && cd sub && echo made");
    await world.shows("! mkdir -p sub");
    world.terminal.press("enter");
    await world.said(/^made$/m);
    world.terminal.type("!pwd");
    world.terminal.press("enter");
    await world.said(join(world.project, "sub"));
    world.enter("what did I do?");
    await world.said("I saw it.");
  });

  it("end by Ctrl-C without ending anything else", async () => {
    const world = await openScreen();
    world.terminal.type("!echo begun; sleep 60");
    world.terminal.press("enter");
    await world.shows("begun");
    world.terminal.press("ctrl+c");
    await world.said("exit 130");
    world.enter("hello");
    await world.said("Hello.");
  });
});

describe("the time machine", () => {
  it("takes back what a shell command of the agent changed, with the chat, and brings it back", async () => {
    const world = await openScreen({
      files: { "keep.txt": "before\n" },
      turns: [
        { tools: [call("run_terminal_command", { command: "echo after > keep.txt; echo new > new.txt" })] },
        { text: "Changed." },
      ],
    });
    world.enter("change files by shell");
    await world.said("Changed.");
    await world.idle();
    world.enter("/diff");
    await world.said("+after");
    world.enter("/undo");
    await world.said('Taken back: "change files by shell"');
    expect(await readFile(join(world.project, "keep.txt"), "utf8")).toBe("before\n");
    expect(existsSync(join(world.project, "new.txt"))).toBe(false);
    world.enter("/redo");
    await world.said('Brought back: "change files by shell"');
    expect(await readFile(join(world.project, "keep.txt"), "utf8")).toBe("after\n");
  });

  it("refuses and names the file when the person has changed it meanwhile", async () => {
    const world = await openScreen({
      files: { "keep.txt": "before\n" },
      turns: [
        { tools: [call("write_file", { path: "keep.txt", instructions: "x", content: "after\n" })] },
        { text: "Changed." },
      ],
    });
    world.enter("change it");
    await world.said("Changed.");
    await world.idle();
    await writeFile(join(world.project, "keep.txt"), "mine\n");
    world.enter("/undo");
    await world.said("Nothing was changed. These files were changed after");
    expect(await readFile(join(world.project, "keep.txt"), "utf8")).toBe("mine\n");
  });
});
