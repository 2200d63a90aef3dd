import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLong } from "@muster/chaos";
import type { ProcessChunk, TerminalScreen } from "@muster/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cellsOf, freshTerminal, write } from "../../../sandbox/test/terminal-cells.ts";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { get, post, processOf } from "./daemon-calls.ts";
import { TerminalViewer } from "./terminal-viewer.ts";

const size = { columns: 100, rows: 30 };
let home: DaemonHome;
let daemon: DaemonProcess;

beforeAll(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
});
afterAll(async () => {
  await home.remove();
});

interface Program {
  readonly name: string;
  /** Behind ten megabytes that scroll away. */
  readonly command: string;
  readonly isShown: (lines: string[]) => boolean;
  /** What is typed by the first viewer, and then by the second. */
  readonly keys: readonly [string, string];
  /** After the keys of the first. */
  readonly isBetween?: (lines: string[]) => boolean;
  readonly isDone: (lines: string[]) => boolean;
}

const programs: readonly Program[] = [
  {
    name: "less",
    command: "less -N lines.txt",
    isShown: (lines) => lines.some((line) => line.includes("line 2 of")),
    keys: ["50g/line 77\r", "kkk\x06"],
    isBetween: (lines) => lines.some((line) => line.includes("line 77 of")),
    isDone: (lines) => lines.some((line) => line.includes("line 115 of")),
  },
  {
    name: "vim",
    command: "vim -u NONE -N lines.txt",
    isShown: (lines) => lines.some((line) => line.includes("line 2 of")),
    keys: [":set nu hls | syntax on | vsplit\r", "20Gdd/line\ro字 typed\x1b:echo 'done'\r"],
    isDone: (lines) => lines.at(-1)?.startsWith("done") === true,
  },
  ...(isLong ? later() : []),
];

for (const { name, command, isShown, keys, isBetween = () => true, isDone } of programs) {
  const missing = isThere(command.split(" ")[0] ?? "") ? undefined : `there is no ${name} on this machine`;
  it(`two viewers of ${name}, one late, see the same cells without what scrolled away`, async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line + 1} of a file \t with 字 and \u00e4`);
    await writeFile(join(home.path, "lines.txt"), `${lines.join("\n")}\n`);
    const flood = "i=0; while [ $i -lt 160 ]; do i=$((i+1)); cat flood.txt; done";
    await writeFile(join(home.path, "flood.txt"), `\x1b[3${1}m${"flood ".repeat(10)}\x1b[0m\n`.repeat(940));
    await post(daemon, `/processes/${name}`, {
      command: "sh",
      args: ["-c", `${flood}; exec ${command}`],
      directory: home.path,
      pty: size,
    });
    const early = await TerminalViewer.open(daemon.api.baseUrl, name);
    await early.until(isShown);
    const { outputBytes } = await processOf(daemon, name);
    expect(outputBytes).toBeGreaterThan(10 * 1024 * 1024);
    early.type(keys[0]);
    const late = await TerminalViewer.open(daemon.api.baseUrl, name);
    await late.untilControl("snapshot");
    await early.until(isBetween);
    late.type(keys[1]);
    await Promise.all([early.until(isDone), late.until(isDone)]);
    await expectSame(name, early, late);
    expect(late.received).toBeLessThan(1024 * 1024);
    // Another size, from the late one.
    late.tell({ type: "resize", columns: 90, rows: 26 });
    await Promise.all([early.untilControl("resized"), late.untilControl("resized")]);
    late.type("\x0c");
    await expectSame(name, early, late);
    await fetch(`${daemon.api.baseUrl}/processes/${name}`, { method: "DELETE" });
    await Promise.all([early.closed, late.closed]);
  });
}

it("the screen of a terminal is the same before and after its daemon was killed, and after its end", async () => {
  await post(daemon, "/processes/kept", {
    command: "sh",
    args: [
      "-c",
      "printf '\\033[2;5r\\033[1;31mred\\033[0m\\033]2;a title\\007'; read -r line; echo \"got $line\"; exit 3",
    ],
    pty: size,
  });
  const before = await screenWith("kept", "red");
  await daemon.kill("SIGKILL");
  daemon = await home.start();
  expect(await screenWith("kept", "red")).toEqual(before);
  await post(daemon, "/processes/kept/input", { text: "it\r" });
  await get(daemon, "/processes/kept/wait");
  const after = await screenWith("kept", "got it");
  expect(await processOf(daemon, "kept")).toMatchObject({ end: { reason: "exited", exitCode: 3 } });
  await daemon.kill("SIGTERM");
  daemon = await home.start();
  expect(await screenWith("kept", "got it")).toEqual(after);
  const cast = await (await fetch(`${daemon.api.baseUrl}/processes/kept/recording`)).text();
  const [header, ...events] = cast
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 2, width: 100, height: 30 });
  expect(events.map((event: unknown[]) => event[2]).join("")).toContain("got it");
});

it("a viewer that wants to be alone is the only one who types, and one who only looks types nothing", async () => {
  await post(daemon, "/processes/pens", { command: "cat", pty: size });
  const first = await TerminalViewer.open(daemon.api.baseUrl, "pens");
  const looking = await TerminalViewer.open(daemon.api.baseUrl, "pens", { write: "no" });
  looking.type("nothing\r");
  first.type("one\r");
  await first.until((lines) => lines.filter((line) => line === "one").length === 2);
  const alone = await TerminalViewer.open(daemon.api.baseUrl, "pens", { write: "alone" });
  await alone.untilControl("writing");
  while (first.controls.filter(({ type }) => type === "writing").at(-1)?.allowed !== false) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  first.type("refused\r");
  alone.type("two\r");
  await looking.until((lines) => lines.filter((line) => line === "two").length === 2);
  expect(looking.lines().filter(Boolean)).toEqual(["one", "one", "two", "two"]);
  await fetch(`${daemon.api.baseUrl}/processes/pens`, { method: "DELETE" });
});

it("a viewer that comes back with its offset gets what it has missed, and no screen", async () => {
  await post(daemon, "/processes/back", { command: "cat", pty: size });
  const first = await TerminalViewer.open(daemon.api.baseUrl, "back");
  first.type("seen\r");
  await first.until((lines) => lines.filter((line) => line === "seen").length === 2);
  const { offset } = first;
  first.close();
  await post(daemon, "/processes/back/input", { text: "missed\r" });
  const again = await TerminalViewer.open(daemon.api.baseUrl, "back", { offset: String(offset) });
  await again.until((lines) => lines.filter((line) => line === "missed").length === 2);
  expect(again.lines().filter(Boolean)).toEqual(["missed", "missed"]);
  expect(again.controls[0]).toEqual({ type: "writing", allowed: true });
  expect(again.controls[1]).toEqual({ type: "from", offset });
  await fetch(`${daemon.api.baseUrl}/processes/back`, { method: "DELETE" });
});

/** Both viewers, and a terminal that has read the whole log, show the same. */
async function expectSame(processId: string, early: TerminalViewer, late: TerminalViewer): Promise<void> {
  const outputBytes = await settledBytes(processId);
  await Promise.all([early.untilOffset(outputBytes), late.untilOffset(outputBytes)]);
  const { terminal } = freshTerminal(size);
  for (let [offset, hasMore] = [0, true]; hasMore; ) {
    const page: { chunks: ProcessChunk[]; next: number; hasMore: boolean } = await get(
      daemon,
      `/processes/${processId}/logs?offset=${offset}&limit=8000000`,
    );
    for (const chunk of page.chunks) {
      if (chunk.type === "output") await write(terminal, Buffer.from(chunk.data ?? "", "base64"));
      else if (chunk.type === "resized") terminal.resize(chunk.columns, chunk.rows);
    }
    [offset, hasMore] = [page.next, page.hasMore];
  }
  const { screen, cursor, kind } = cellsOf(terminal);
  for (const viewer of [early, late]) expect(cellsOf(viewer.terminal)).toMatchObject({ screen, cursor, kind });
}

/** A program at rest writes no more: the same number twice, with a question to the daemon between. */
async function settledBytes(processId: string): Promise<number> {
  for (let before = -1; ; ) {
    const { outputBytes } = await processOf(daemon, processId);
    if (outputBytes === before) return outputBytes;
    before = outputBytes;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function screenWith(processId: string, text: string): Promise<TerminalScreen> {
  for (;;) {
    const screen: TerminalScreen = await get(daemon, `/processes/${processId}/screen`);
    if (screen.lines.some((line) => line.text.includes(text))) return screen;
  }
}

function later(): Program[] {
  return [
    {
      name: "tmux",
      command: "tmux -L muster-viewers -f /dev/null new 'cat lines.txt; exec sh'",
      isShown: (lines) => lines.some((line) => line.includes("line 500 of")),
      keys: ["\x02%", "echo d''one\r"],
      isDone: (lines) => lines.some((line) => /\bdone\b/.test(line)),
    },
    {
      name: "htop",
      command: "htop -d 1000",
      isShown: (lines) => lines.some((line) => line.includes("F1Help")),
      keys: ["/", "\x1b"],
      isDone: (lines) => lines.some((line) => line.includes("F1Help")),
    },
  ];
}

function isThere(command: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${command}`]);
    return true;
  } catch {
    // The shell found none.
    return false;
  }
}
