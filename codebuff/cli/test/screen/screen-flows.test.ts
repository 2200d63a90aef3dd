import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { call, openScreen, type ScreenWorld } from "./screen-world.ts";
import { expectScreen } from "./screens.ts";
import { showcase } from "./showcase.ts";

const light = "\u001b]11;rgb:ffff/ffff/ffff\u0007";

describe("a whole turn", () => {
  it.each([
    ["at 60 columns", "whole-turn-60", 60, undefined],
    ["at 100 columns, dark", "whole-turn-dark", 100, undefined],
    ["at 100 columns, light", "whole-turn-light", 100, light],
    ["at 200 columns", "whole-turn-200", 200, undefined],
  ])("%s", async (_, name, columns, background) => {
    const world = await openScreen({ ...showcase, columns, rows: 75 });
    await world.shows("›");
    if (background !== undefined) world.terminal.send(background);
    world.enter("why is the last line missing?");
    await world.said("% context");
    await expectScreen(world, name);
    expect(world.llm.failures()).toEqual([]);
  });

  it("without colours where nobody wants them", async () => {
    const world = await openScreen({ ...showcase, rows: 75, env: { NO_COLOR: "1" } });
    world.enter("why is the last line missing?");
    await world.said("% context");
    expect(await world.terminal.styled()).not.toMatch(/\{[^|]*[fb]g\d/);
    await expectScreen(world, "whole-turn-no-colour");
  });
});

describe("what waits for the person", () => {
  it("a question", async () => {
    const options = [{ label: "SQLite" }, { label: "Postgres", description: "a server of its own" }];
    const questions = [
      { question: "Which database?", options },
      { question: "Which extras?", options: [{ label: "Cache" }, { label: "Queue" }], multiSelect: true },
    ];
    const world = await openScreen({
      turns: [{ text: "Two questions first.\n", tools: [call("ask_user", { questions })] }, { text: "Good." }],
    });
    world.enter("set it up");
    await world.shows("1 of 2: Which database?");
    await expectScreen(world, "question");
    await world.guardPassed();
    world.terminal.press("enter");
    await world.shows("2 of 2: Which extras?");
    await world.guardPassed();
    world.terminal.type(" ");
    world.terminal.press("down", "down");
    world.terminal.type("a clock");
    await world.shows("› a clock");
    await expectScreen(world, "question-several");
    world.terminal.press("enter");
    await world.said(/Good\.[\s\S]*% context/);
    // What was marked and what was written go together.
    expect(JSON.stringify(world.llm.requests().at(-1)?.body)).toMatch(/Cache[^}]*a clock|a clock[^}]*Cache/);
    await expectScreen(world, "question-answered");
  });

  it("a permission for a command", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      turns: [
        { tools: [call("run_terminal_command", { command: "ls | touch one.txt && git add . && git commit -m x" })] },
        { text: "Made." },
      ],
    });
    world.enter("make files");
    await world.shows("Allow once");
    await expectScreen(world, "permission-command");
  });

  it("a permission for an edit", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      files: { "a.ts": "const one = 1;\nconst two = 3;\nconst three = 3;\n" },
      turns: [
        { tools: [call("str_replace", { path: "a.ts", replacements: [{ old: "two = 3", new: "two = 2" }] })] },
        { text: "Mended." },
      ],
    });
    world.enter("mend it");
    await world.shows("Allow once");
    await expectScreen(world, "permission-edit");
  });

  it("a plan, which can be edited before it is carried out", async () => {
    const world = await openScreen({
      flags: { plan: true },
      turns: [
        { text: "I would do this.\n<PLAN>\n## Steps\n\n1. Read `a.ts`\n2. Write `b.ts`\n</PLAN>" },
        { match: { body: "Only read" }, text: "Carried out as changed." },
        { text: "Carried out." },
      ],
      env: { EDITOR: "sh -c 'echo Only read > \"$0\"'" },
    });
    world.enter("a parser");
    await world.shows("Carry out this plan?");
    await expectScreen(world, "plan");
    await world.guardPassed();
    world.terminal.type("3");
    await world.shows(/Only read[\s\S]*Yes, and ask/);
    await world.guardPassed();
    world.terminal.type("2");
    await world.said("Carried out as changed.");
    await world.said("The plan is approved: DEFAULT mode from the next prompt on.");
    await world.shows(/^DEFAULT · /m);
  });

  it("leaves with the run: a second Escape interrupts although another question waits", async () => {
    const ask = (question: string) =>
      call("ask_user", { questions: [{ question, options: [{ label: "Yes" }, { label: "No" }] }] });
    const child = (name: string, question: string) => ({
      name,
      match: { firstUser: question },
      turns: [{ tools: [ask(question)] }, { text: "Never mind.", times: "always" as const }],
    });
    const agents = ["First child?", "Second child?"].map((prompt) => ({ agent_type: "asker", prompt }));
    const world = await openScreen({
      flags: { agent: "boss", permissions: "allow" },
      files: {
        ".agents/boss.ts":
          'export default { id: "boss", displayName: "Boss", model: "anthropic/claude-haiku-4.5", toolNames: ["spawn_agents"], spawnableAgents: ["asker"], instructionsPrompt: "Lead." };\n',
        ".agents/asker.ts":
          'export default { id: "asker", displayName: "Asker", model: "anthropic/claude-haiku-4.5", toolNames: ["ask_user"], inputSchema: { prompt: { type: "string" } }, instructionsPrompt: "Ask." };\n',
      },
      script: {
        conversations: [
          child("one", "First child?"),
          child("two", "Second child?"),
          { name: "root", turns: [{ tools: [call("spawn_agents", { agents })] }, { text: "Never reached." }] },
        ],
      },
    });
    world.enter("ask twice");
    await world.shows("This project brings 2 things");
    await world.guardPassed();
    world.terminal.type("2");
    await world.shows(/Asker: (?:First|Second) child\?/);
    await world.guardPassed();
    world.terminal.press("escape");
    await world.shows(/Asker: (?:First|Second) child\?/);
    world.terminal.press("escape");
    await world.said(/^interrupted · /m);
    expect(await world.terminal.screen()).not.toContain("child?\n▸");
  });
});

describe("while the agent works", () => {
  const words = { text: "one ".repeat(4000), pace: { chars: 8, delayMs: 20 } };

  it("an interrupt", async () => {
    const world = await openScreen({ turns: [{ text: "First.\n\nThen more", pace: { chars: 4, delayMs: 2 } }] });
    world.enter("write");
    await world.said(/\$/);
    await world.leave();
    const other = await openScreen({
      turns: [{ tools: [call("run_terminal_command", { command: "echo begun; sleep 300" })] }, { text: "Never." }],
    });
    other.enter("wait");
    await other.shows(/^ {2}begun$/m);
    await expectScreen(other, "working");
    other.terminal.press("escape");
    await other.said(/^interrupted · /m);
    await other.said("% context");
    await expectScreen(other, "interrupted");
  });

  it("the queue: several wait, one of them is taken back and the draft takes its place", async () => {
    const world = await openScreen({ turns: [words, { text: "After it." }], rows: 20 });
    world.enter("first");
    await world.shows("one one");
    for (const text of ["second", "third", "fourth"]) {
      world.enter(text);
      await world.shows(`queued: ${text}`);
    }
    world.terminal.type("instead");
    world.terminal.press("alt+up");
    await world.shows("Which prompt back into the editor?");
    await world.guardPassed();
    world.terminal.press("down", "enter");
    await world.shows("› third");
    await world.shows("2 queued: instead");
    world.terminal.press("ctrl+c", "escape");
    await world.shows("paused: Enter sends the queue");
    await world.said(/^interrupted/m);
    expect((await world.terminal.screen()).split("\n").slice(-7)).toEqual([
      "paused: Enter sends the queue, Ctrl-C drops it",
      "  1 queued: second",
      "  2 queued: instead",
      "  3 queued: fourth",
      "  alt+up edits one of them",
      "› ",
      expect.stringMatching(/^DEFAULT/),
    ]);
    world.terminal.press("ctrl+c");
    await world.said("The queue is empty.");
  });

  it("the full screen has the editor, scrolls, folds, and goes back to where the terminal was", async () => {
    const rows = Array.from({ length: 80 }, (_, n) => `row ${n}`).join("\n\n");
    const world = await openScreen({
      rows: 20,
      turns: [
        { text: rows },
        { tools: [call("run_terminal_command", { command: "seq 1 9" })] },
        { text: "Second answer." },
      ],
    });
    world.enter("count");
    await world.said("row 79");
    await world.idle();
    world.terminal.press("ctrl+o");
    await world.shows("ctrl+t unfolds");
    world.terminal.press("pageUp");
    await world.shows(/^row 70$/m);
    world.enter("again");
    await world.shows(/\d+ of \d+ lines/);
    world.terminal.press("pageDown", "pageDown", "pageDown", "pageDown");
    await world.shows("Second answer.");
    expect(await world.terminal.screen()).not.toMatch(/^ {2}1$/m);
    world.terminal.press("ctrl+t");
    await world.shows(/^ {2}1$/m);
    await world.idle();
    await expectScreen(world, "full-screen");
    world.terminal.press("escape");
    await world.said(/^Second answer\.$/m);
    const all = (await world.terminal.everything()).join("\n");
    expect(all.match(/^row 79$/gm)).toHaveLength(1);
    expect(all.match(/^Second answer\.$/gm)).toHaveLength(1);
  });
});

it("an Escape right after Enter says nothing but that, and the footer keeps its model", async () => {
  const world = await openScreen();
  world.enter("hello");
  await world.said("Hello.");
  await world.idle();
  const model = /DEFAULT · allow · (\S+)/.exec(await world.terminal.screen())?.[1] ?? "";
  expect(model).toContain("claude");
  world.enter("again");
  world.terminal.press("escape");
  await world.said(/interrupted · /);
  await world.idle();
  await world.shows(`DEFAULT · allow · ${model}`);
  expect((await world.terminal.everything()).join("\n")).not.toContain("cannot be listed");
});

it("Up goes on through the history past a command, whose menu stays closed", async () => {
  const world = await openScreen();
  for (const text of ["first words", "/theme:toggle", "second words"]) {
    world.enter(text);
    await world.idle();
  }
  world.terminal.press("up");
  world.terminal.press("up");
  await world.shows(/› \/theme:toggle$/m);
  world.terminal.press("up");
  await world.shows(/› first words$/m);
});

describe("going on", () => {
  it("looks like the session that was left; its beginning is read when it is wanted", async () => {
    const turns = Array.from({ length: 60 }, (_, n) => ({ text: `Answer ${n}.` }));
    const world = await openScreen({ turns, rows: 20 });
    for (let n = 0; n < 60; n++) {
      world.enter(`prompt ${n}`);
      await world.said(new RegExp(`^Answer ${n}\\.$`, "m"));
      await world.idle();
    }
    await world.leave();
    const again = await openScreen({ place: world, flags: { continue: true }, turns: [{ text: "Later." }], rows: 20 });
    await again.said("Answer 59.");
    await expectScreen(again, "resumed");
    const printed = await again.terminal.everything();
    expect(printed.length).toBeLessThan(60);
    expect(printed.join("\n")).not.toContain("Answer 30.");
    again.terminal.press("ctrl+t");
    await again.shows("lines · PgUp");
    const goUp = async () => {
      again.terminal.press("pageUp");
      expect(await again.terminal.screen()).toContain("› prompt 0\n");
    };
    await vi.waitFor(goUp, { timeout: 60_000, interval: 20 });
  });

  it("undo, redo and undo again concern the same prompt, also in another process", async () => {
    const world = await openScreen({ turns: [{ text: "One." }, { text: "Two." }] });
    for (const [prompt, text] of [
      ["alpha prompt", "One."],
      ["beta prompt", "Two."],
    ] as const) {
      world.enter(prompt);
      await world.said(text);
      await world.idle();
    }
    world.enter("/undo chat");
    await world.said('Taken back: "beta prompt"');
    await world.leave();
    const again = await openScreen({ place: world, flags: { continue: true }, turns: [{ text: "Three." }] });
    await again.said("One.");
    expect((await again.terminal.everything()).join("\n")).not.toContain("Two.");
    again.enter("/redo chat");
    await again.said('Brought back: "beta prompt"');
    again.enter("/undo chat");
    await again.said('Taken back: "beta prompt"');
    again.enter("/undo chat");
    await again.said('Taken back: "alpha prompt"');
    again.enter("third");
    await again.said("Three.");
    const last = JSON.stringify(again.llm.requests().at(-1)?.body);
    expect(last).not.toContain("beta prompt");
    expect(last).not.toContain("One.");
    await again.idle();
    again.enter("/redo chat");
    await again.said("There is nothing to bring back.");
  });

  it("an interrupted task of agent mode is offered by /agent", async () => {
    const script = (text: string) => ({
      conversations: [
        { match: { system: "Codebuff in agent mode" }, turns: [{ text }, { text: "On it.\n<end_turn></end_turn>" }] },
      ],
    });
    const command = "<run_terminal_command>\n<command>sleep 300</command>\n</run_terminal_command>";
    const world = await openScreen({ script: script(`I wait.\n${command}`) });
    world.enter("/agent wait for the build");
    await world.shows("AGENT · step 1");
    await world.shows("● run_terminal_command sleep 300");
    expect(await world.terminal.screen()).toMatch(/^» $/m);
    world.terminal.press("escape");
    await world.said(/^interrupted · /m);
    await world.leave();
    const again = await openScreen({
      place: world,
      flags: { continue: true },
      script: script("Going on.\n<end_turn></end_turn>"),
    });
    // Its calls are told by the session file too.
    await again.said("run_terminal_command sleep 300");
    again.enter("/agent");
    await again.shows("Go on with the task that was interrupted: wait for the build");
    await again.guardPassed();
    again.terminal.type("1");
    await again.said("Going on.");
  });
});

it("in the home directory one of the projects used last is offered, and the chat goes on there", async () => {
  const before = await openScreen();
  before.enter("hello");
  await before.idle();
  await before.said("Hello.");
  await before.leave();
  const { home, project } = before;
  const world = await openScreen({ place: { project: home, home } });
  await world.shows("This is no project. Which of yours?");
  await world.guardPassed();
  world.terminal.press("enter");
  await world.said(`Now in ${project}.`);
  world.enter("!pwd");
  await world.said(new RegExp(`^\\s*${await realpath(project)}$`, "m"));
  await world.leave();
  const above = await openScreen({ place: { project: dirname(home), home } });
  await above.shows("Stay here");
  await above.guardPassed();
  above.terminal.press("escape");
  await above.said("This is no project: files are not listed here, and there is no undo.");
});

it("attachments are listed, and Backspace at the beginning leaves the last one out", async () => {
  const world = await openScreen({ files: { "one shot.png": "png" } });
  await world.shows("›");
  world.terminal.send(`\u001b[200~${"long line\r".repeat(500)}end\u001b[201~`);
  await world.shows("+ pasted text 1 (501 lines)");
  world.terminal.send(`\u001b[200~'${join(world.project, "one shot.png")}'\u001b[201~`);
  await world.shows("+ one shot.png");
  world.terminal.press("backspace");
  await world.shows(/\+ pasted text 1[^\n]*\n› /);
  world.enter("look at it");
  await world.said("Hello.");
  expect(JSON.stringify(world.llm.requests()[0]?.body)).toContain("long line\\nlong line");
});

it("@ finds files and agents by a few letters, and Tab completes a path without it", async () => {
  const world = await openScreen({
    files: { "src/deep/parser.ts": "", "src/other.ts": "", ".gitignore": "ignored\n", "ignored/parser.ts": "" },
  });
  await world.shows("›");
  world.terminal.type("look at @dprs");
  await world.shows("▸ src/deep/parser.ts");
  expect(await world.terminal.screen()).not.toContain("ignored/");
  await expectScreen(world, "file-menu");
  world.terminal.press("tab");
  world.terminal.type("and other");
  world.terminal.press("tab");
  await world.shows("▸ src/other.ts");
  world.terminal.press("enter");
  await world.shows("› look at @src/deep/parser.ts and src/other.ts");
  world.terminal.press("tab");
  await world.shows("FREE ·");
});

it("--budget with a model that has no price ends with exit code 2", async () => {
  const world = await openScreen({
    flags: { budget: "1", model: "unheard/of" },
    env: { OPENROUTER_API_KEY: "sk-or-x" },
  });
  expect(await world.code).toBe(2);
  expect((await world.terminal.everything()).join("\n")).toContain("--budget cannot be kept");
});

it("the footer tells the price of the whole session, with what earlier processes spent", async () => {
  const world = await openScreen();
  world.enter("hi");
  await world.said("% context");
  await world.leave();
  const again = await openScreen({ place: world, flags: { continue: true } });
  await again.said("Hello.");
  await again.shows(/\$0\.\d+ · \/help/);
  again.enter("/usage");
  await again.said(/This session: \$0\.0\d+/);
});

describe("an end the person can do something about has a screen of its own", () => {
  it.each([
    ["out of credits", "out-of-credits", { kind: "status" as const, status: 402 }],
    ["a refused key", "refused-key", { kind: "status" as const, status: 401 }],
  ])("%s", async (_, name, fault) => {
    const world = await openScreen({ turns: [{ fault, times: "always" }] });
    world.enter("hello");
    await world.said(/^failed · /m);
    await world.idle();
    await expectScreen(world, name);
  });

  it("no key at all", async () => {
    const world = await openScreen({ env: { ANTHROPIC_API_KEY: "", HOME: "/nowhere" } });
    world.enter("hello");
    await world.said("There is no key yet. Three ways to begin:");
    await expectScreen(world, "no-key");
  });
});

describe("Ctrl-V", () => {
  /** A folder with programs of these names before everything else on the PATH. */
  async function withPrograms(world: ScreenWorld, programs: Readonly<Record<string, string>>): Promise<void> {
    const bin = join(world.home, "bin");
    await mkdir(bin);
    for (const [name, text] of Object.entries(programs)) await writeFile(join(bin, name), text, { mode: 0o755 });
    world.io.env.PATH = `${bin}:/usr/bin:/bin`;
  }
  const nothing = "#!/bin/sh\nexit 1\n";

  it("takes the picture in the clipboard, and a large one is shrunk", async () => {
    const world = await openScreen();
    await withPrograms(world, {
      "wl-paste": nothing,
      xclip: '#!/bin/sh\ncase "$*" in *image/png*) head -c 1500000 /dev/zero;; *) exit 1;; esac\n',
      magick: '#!/bin/sh\nfor last; do :; done\nprintf small > "$(echo "$last" | cut -c6-)"\n',
    });
    world.terminal.press("ctrl+v");
    await world.said("pasted image goes with the next prompt, shrunk from 1.5 MB to 1 kB.");
    world.enter("look");
    await world.said("Hello.");
    expect(JSON.stringify(world.llm.requests()[0]?.body)).toContain(Buffer.from("small").toString("base64"));
  });

  it("refuses a large picture with its size where nothing can shrink it, and says what is missing to read one", async () => {
    const world = await openScreen({ files: { "large.png": "x".repeat(2_000_000) } });
    await withPrograms(world, {
      magick: nothing,
      sips: nothing,
      "wl-paste": nothing,
      xclip: nothing,
      pngpaste: nothing,
      pbpaste: nothing,
    });
    world.enter("/image large.png");
    await world.said("large.png has 2.0 MB; 1 MB is the most, and neither magick nor sips is there to shrink it.");
    world.terminal.press("ctrl+v");
    await world.said("The clipboard cannot be read: install wl-clipboard, xclip or pngpaste.");
  });
});
