import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MarkdownStream } from "../../src/blocks/markdown-stream.ts";
import { Chat } from "../../src/chat/chat.ts";
import { readRunOptions } from "../../src/run-options.ts";
import { ChatScreen } from "../../src/screen/chat-screen.ts";
import { Region } from "../../src/screen/region.ts";
import { themeFor } from "../../src/text/theme.ts";
import type { Happening } from "../../src/transcript/items.ts";
import { HeadlessTerminal } from "./headless-terminal.ts";

const cursor = { row: 0, column: 0 };
const plain = { width: 40, theme: themeFor("dark", "plain"), now: 0, unfolded: false };

/** Clears of the whole screen or the scrollback, and scroll regions. */
function forbidden(written: string): string[] {
  return written.split("\u001b").filter((sequence) => /^\[(?:[23]J|\d+;\d+r)/.test(sequence));
}

/** A chat that has no model: what happens in it is told by the test. */
function openChat(terminal: HeadlessTerminal): {
  chat: Chat;
  screen: ChatScreen;
  tell: (happening: Happening) => void;
} {
  const io = {
    args: [],
    env: {},
    home: "/nowhere",
    cwd: process.cwd(),
    interrupted: new AbortController().signal,
  } as never;
  const chat = new Chat({
    options: readRunOptions({}, [], { cwd: process.cwd(), home: "/nowhere" }),
    io,
    look: "colours",
    view: (own) => new ChatScreen(own, terminal),
  });
  const screen = chat.view as ChatScreen;
  screen.start(["codebuff"]);
  return { chat, screen, tell: (happening) => chat.add({ ...happening, at: Date.now() }) };
}

describe("1 committed lines are written once, above a live region", () => {
  it("that leaves one row of the terminal free", async () => {
    const terminal = new HeadlessTerminal({ columns: 40, rows: 10 });
    const region = new Region(terminal);
    region.paint({ committed: ["done"], live: Array.from({ length: 30 }, (_, at) => `live ${at}`), cursor });
    expect((await terminal.screen()).split("\n")).toEqual([
      "done",
      ...Array.from({ length: 9 }, (_, at) => `live ${at + 21}`),
    ]);
  });

  it("and nothing of it is lost or said twice", async () => {
    const terminal = new HeadlessTerminal({ columns: 40, rows: 10 });
    const region = new Region(terminal);
    for (let n = 0; n < 200; n++) {
      region.paint({
        committed: [`line ${n}`],
        live: Array.from({ length: 1 + (n % 8) }, (_, at) => `live ${n} ${at}`),
        cursor,
      });
    }
    region.paint({ committed: [], live: ["prompt"], cursor });
    expect(await terminal.everything()).toEqual([...Array.from({ length: 200 }, (_, n) => `line ${n}`), "prompt"]);
    expect(forbidden(terminal.written)).toEqual([]);
  });
});

describe("2 each paint is one write in synchronized output", () => {
  it("that holds only the lines that differ", () => {
    const terminal = new HeadlessTerminal({ columns: 40, rows: 10 });
    const region = new Region(terminal);
    region.paint({ committed: [], live: ["same", "old", "same too"], cursor });
    region.paint({ committed: [], live: ["same", "new", "same too"], cursor });
    expect(terminal.writes).toHaveLength(2);
    expect(terminal.writes[1]?.startsWith("\u001b[?2026h")).toBe(true);
    expect(terminal.writes[1]?.endsWith("\u001b[?2026l")).toBe(true);
    expect(terminal.writes[1]).toContain("new");
    expect(terminal.writes[1]).not.toContain("same");
    region.paint({ committed: [], live: ["same", "new", "same too"], cursor });
    expect(terminal.writes).toHaveLength(2);
  });

  it("and a finished line that stands at the region's top is promoted, not rewritten", async () => {
    const terminal = new HeadlessTerminal({ columns: 40, rows: 10 });
    const region = new Region(terminal);
    region.paint({ committed: [], live: ["finished", "prompt"], cursor });
    region.paint({ committed: ["finished"], live: ["prompt"], cursor });
    expect(terminal.writes[1]).not.toContain("finished");
    region.paint({ committed: ["next"], live: ["prompt"], cursor });
    expect(await terminal.everything()).toEqual(["finished", "next", "prompt"]);
  });

  it("but not one that the terminal may have cut, because it takes an emoji for wider than we do", async () => {
    const terminal = new HeadlessTerminal({ columns: 40, rows: 10 });
    const region = new Region(terminal);
    const line = `\u{1f469}\u200d\u{1f469}\u200d\u{1f467} ${"x".repeat(30)} end`;
    region.paint({ committed: [], live: [line, "prompt"], cursor });
    region.paint({ committed: [line], live: ["prompt"], cursor });
    expect((await terminal.everything()).join("\n")).toContain(`${"x".repeat(30)} end`);
  });

  it("and a full line keeps its last character", async () => {
    const terminal = new HeadlessTerminal({ columns: 10, rows: 5 });
    const region = new Region(terminal);
    region.paint({ committed: ["1234567890"], live: ["abcdefghij", "x"], cursor });
    region.paint({ committed: [], live: ["ABCDEFGHIJ", "x"], cursor });
    expect(await terminal.everything()).toEqual(["1234567890", "ABCDEFGHIJ", "x"]);
  });
});

describe("3 streams paint at most 30 times a second, a keystroke at once", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("however fast the model writes", () => {
    const terminal = new HeadlessTerminal();
    const { tell } = openChat(terminal);
    const before = terminal.writes.length;
    for (let ms = 0; ms < 1000; ms++) {
      tell({ type: "text", text: "word " });
      vi.advanceTimersByTime(1);
    }
    expect(terminal.writes.length - before).toBeGreaterThan(20);
    expect(terminal.writes.length - before).toBeLessThanOrEqual(31);
  });

  it("and no Markdown is read for a key", () => {
    const terminal = new HeadlessTerminal();
    const { tell } = openChat(terminal);
    tell({ type: "text", text: "first" });
    vi.advanceTimersByTime(100);
    const update = vi.spyOn(MarkdownStream.prototype, "update");
    const before = terminal.writes.length;
    tell({ type: "text", text: " second" });
    terminal.type("k");
    expect(terminal.writes).toHaveLength(before + 1);
    expect(terminal.writes.at(-1)).toContain("k");
    expect(terminal.writes.at(-1)).not.toContain("second");
    expect(update).not.toHaveBeenCalled();
  });
});

describe("4 all blocks but the last are finished", () => {
  const stream = (text: string, { done = false, tall = 10 } = {}) => {
    const markdown = new MarkdownStream();
    const finished: string[] = [];
    let open: readonly string[] = [];
    for (let end = 1; end <= text.length; end++) {
      const part = markdown.update(text.slice(0, end), { done: done && end === text.length, tall, context: plain });
      finished.push(...part.finished);
      open = part.open;
    }
    return { finished, open };
  };

  it("when the next one begins", () => {
    expect(stream("# Title\n\nOne.\n\nTwo is op")).toEqual({
      finished: ["# Title", "", "One."],
      open: ["", "Two is op"],
    });
  });

  it("but a tall block gives up its upper lines and keeps its width", () => {
    const markdown = new MarkdownStream();
    const words = "word ".repeat(60);
    const first = markdown.update(words, { done: false, tall: 4, context: plain });
    expect(first.finished.length + first.open.length).toBe(8);
    expect(first.open.length).toBe(3);
    const wider = markdown.update(`${words}end`, { done: true, tall: 4, context: { ...plain, width: 100 } });
    expect([...first.finished, ...wider.finished].every((line) => line.length <= 40)).toBe(true);
    expect([...first.finished, ...wider.finished].join(" ").split(/\s+/)).toHaveLength(61);
  });

  it("and long code is finished line by line, whatever the width", () => {
    const code = Array.from({ length: 30 }, (_, n) => `line ${n} ${"x".repeat(50)}`);
    const { finished } = stream(`Look:\n\n\`\`\`\n${code.join("\n")}\n\`\`\`\n\nAfter.`, { done: true, tall: 5 });
    expect(finished).toEqual(["Look:", "", "```", ...code, "```", "", "After."]);
  });

  it("and a table waits until it is whole", () => {
    const rows = Array.from({ length: 12 }, (_, n) => `| r${n} | ${n} |`).join("\n");
    const table = `| a | b |\n|---|---|\n${rows}\n`;
    expect(stream(table, { tall: 3 }).finished).toEqual([]);
    expect(stream(`${table}\nEnd.`, { tall: 3 }).finished).toHaveLength(14);
  });

  it("and piece by piece it gives the same lines as at once", () => {
    const text =
      "Intro with **bold**.\n\n- one\n- two\n  - inner\n- three\n\n1. first\n2. second\n\n> quoted\n> more\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast `code`.";
    const { finished } = stream(text, { done: true, tall: 4 });
    const whole = new MarkdownStream().update(text, { done: true, tall: 1000, context: plain });
    expect(finished).toEqual(whole.finished);
  });
});

it("5 no rule or box in the live region is as wide as the terminal", () => {
  const terminal = new HeadlessTerminal({ columns: 60, rows: 20 });
  openChat(terminal);
  terminal.type("some text");
  expect(terminal.written).not.toMatch(/[─━═]{20}/);
});

describe("6 a resize while it streams", () => {
  it.each([1, 2, 3, 4, 5])("loses no line and doubles at most one fragment (seed %i)", async (seed) => {
    let state = seed * 7919;
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state % below;
    };
    const terminal = new HeadlessTerminal({ columns: 120, rows: 40 });
    const region = new Region(terminal);
    for (let n = 0; n < 100; n++) terminal.write(`shell ${n}\r\n`);
    await terminal.screen();
    let resizes = 0;
    const live = (n: number) => [`open ${n}`, "", "◐ works", "› prompt", "DEFAULT · model · /help"];
    for (let n = 0; n < 500; n++) {
      region.paint({
        committed: [`line ${n} ${"word ".repeat(random(20))}`.trimEnd()],
        live: live(n),
        cursor: { row: 3, column: 8 },
      });
      if (n % 20 !== 19) continue;
      await terminal.screen();
      terminal.resize(40 + random(120), 10 + random(40));
      region.resized();
      region.paint({ committed: [], live: live(n), cursor: { row: 3, column: 8 } });
      resizes++;
    }
    const all = await terminal.everything();
    const text = all.join("\n");
    for (let n = 0; n < 100; n++) expect(text).toContain(`shell ${n}\n`);
    const lost = Array.from({ length: 500 }, (_, n) => n).filter((n) => !new RegExp(`^line ${n}( |$)`, "m").test(text));
    expect(lost).toEqual([]);
    const doubled = all.filter((line) => /^open|works|› prompt|DEFAULT/.test(line)).length - 4;
    expect(doubled).toBeLessThanOrEqual(resizes * 5);
    const lines = all.filter((line) => /^line \d+/.test(line));
    expect(lines.length - new Set(lines.map((line) => /^line \d+/.exec(line)?.[0])).size).toBeLessThanOrEqual(resizes);
    expect(forbidden(terminal.written)).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])(
    "loses no line to frames painted before a change of height is noticed (seed %i)",
    async (seed) => {
      const { terminal, port } = lateTerminal();
      const random = randomOf(seed);
      const region = new Region(port);
      const lines = Array.from({ length: 500 }, (_, n) => `line ${n} ${"word ".repeat(random(16))}end`);
      const below = ["", "◐ works", "› prompt", "DEFAULT · model · /help"];
      let open = 0;
      for (let n = 0; n < lines.length; n++) {
        // The open block grows line by line and is finished as a whole, as code is.
        const isWhole = n - open === 8;
        const committed = isWhole ? lines.slice(open, n) : [];
        if (isWhole) open = n;
        const live = [...lines.slice(open, n + 1), ...below];
        region.paint({ committed, live, cursor: { row: live.length - 2, column: 8 } });
        await terminal.screen();
        if (n % 21 === 15) terminal.resize(120, 14 + random(30));
        if (n % 21 !== 18) continue;
        port.rows = terminal.rows;
        region.resized();
      }
      region.paint({ committed: lines.slice(open), live: below, cursor: { row: 2, column: 8 } });
      const standing = new Set(await terminal.everything());
      const lost = lines.filter((line) => !standing.has(line));
      expect(lost).toEqual([]);
    },
  );
});

describe("6 frames that are on their way when the width changes lose no line", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("seed %i", async (seed) => {
    const { terminal, port } = lateTerminal();
    const random = randomOf(seed);
    let now = 0;
    const region = new Region(port, () => now);
    const lines = Array.from({ length: 500 }, (_, n) => `line ${n} ${"word ".repeat(random(20))}end`);
    const below = ["", "◐ works", "› prompt", "DEFAULT · model · /help"];
    let open = 0;
    let heardAt = -1;
    let resizes = 0;
    for (let n = 0; n < lines.length; n++) {
      // Lines are finished a few at a time, some while they stand there already.
      const finished = n - open > 3 + random(6) ? n - 2 : open;
      const live = [...lines.slice(finished, n + 1), ...below];
      region.paint({ committed: lines.slice(open, finished), live, cursor: { row: live.length - 2, column: 8 } });
      open = finished;
      await terminal.screen();
      now += 33;
      if (n % 21 === 12) {
        terminal.resize(30 + random(110), 14 + random(30));
        // The command hears of it some frames later.
        heardAt = n + random(6);
      }
      if (n !== heardAt) continue;
      port.columns = terminal.columns;
      port.rows = terminal.rows;
      region.resized();
      resizes++;
    }
    port.columns = terminal.columns;
    port.rows = terminal.rows;
    region.resized();
    region.paint({ committed: lines.slice(open), live: below, cursor: { row: 2, column: 8 } });
    const all = await terminal.everything();
    const standing = new Set(all);
    expect(lines.filter((line) => !standing.has(line))).toEqual([]);
    expect(resizes).toBeGreaterThan(5);
  });
});

it("7 prose is wrapped, a line of code is one line for the terminal", async () => {
  const terminal = new HeadlessTerminal({ columns: 40, rows: 30 });
  const { tell, screen } = openChat(terminal);
  const code = `const long = "${"x".repeat(60)}";`;
  tell({ type: "text", text: `${"some words ".repeat(10)}\n\n\`\`\`ts\n${code}\n\`\`\`\n` });
  tell({ type: "finish", totalCost: 0, status: "completed" });
  await vi.waitFor(async () => expect(await terminal.everything()).toContain(code));
  const prose = (await terminal.everything()).filter(
    (line) => line.startsWith("some words") || line.startsWith("words"),
  );
  expect(prose.every((line) => line.length <= 40)).toBe(true);
  screen.close();
});

it("8 parallel calls are committed in order of start, what does not fit is counted", async () => {
  const terminal = new HeadlessTerminal({ columns: 80, rows: 12 });
  const { tell, screen } = openChat(terminal);
  const owner = (n: number) => ({ toolCallId: `t${n}`, toolName: "glob" });
  for (let n = 0; n < 20; n++) tell({ type: "tool_call", ...owner(n), input: { pattern: `p${n}` } });
  await vi.waitFor(async () => expect(await terminal.screen()).toMatch(/^… \d+ more$/m));
  for (let n = 19; n >= 0; n--) tell({ type: "tool_result", ...owner(n), output: [] });
  await vi.waitFor(async () => expect((await terminal.everything()).join("\n")).toContain("✓ glob p19"));
  const done = (await terminal.everything()).filter((line) => line.startsWith("✓"));
  expect(done.map((line) => line.replace(/ · .*/, ""))).toEqual(Array.from({ length: 20 }, (_, n) => `✓ glob p${n}`));
  screen.close();
});

/** A terminal whose new size the command hears of only when the test says so. */
function lateTerminal() {
  const terminal = new HeadlessTerminal({ columns: 120, rows: 40 });
  const port = {
    columns: 120,
    rows: 40,
    write: (data: string) => terminal.write(data),
    start: () => undefined,
    stop: () => undefined,
  };
  return { terminal, port };
}

function randomOf(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state >> 8) % below;
  };
}
