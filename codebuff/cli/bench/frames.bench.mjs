/** How long a frame of the screen takes to make, in this process: streaming, paging in full screen, the menu of files. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "../../../bench/statistics.mjs";
import { longAnswer } from "./screen-text.mjs";

export async function run(report) {
  const top = await mkdtemp(join(tmpdir(), "muster-bench-"));
  try {
    await frames(report, top);
    await filePicking(report, top);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

async function frames(report, cwd) {
  const { chat, screen, keys, paints } = await openScreen(cwd);
  const text = longAnswer(10_000);
  const began = performance.now();
  const durations = [];
  const size = 110;
  chat.add({ type: "start", messageHistoryLength: 0, at: Date.now() });
  // Three times the 200 lines a second of the other bench.
  for (let at = 0; at < text.length; at += size * 10) {
    for (let piece = at; piece < at + size * 10; piece += size) {
      chat.add({ type: "text", text: text.slice(piece, piece + size), at: Date.now() });
    }
    const before = paints.length;
    await pause(35);
    if (performance.now() - began > 1000) durations.push(...paints.slice(before));
  }
  chat.add({ type: "finish", totalCost: 0, status: "completed", at: Date.now() });
  await pause(100);
  const worst = Math.max(...durations);
  report({
    name: "screen: slowest frame while 10,000 lines stream",
    value: worst,
    unit: "ms",
    budget: "≤ 50",
    ok: worst <= 50,
  });
  keys("\u0014");
  const pages = [];
  for (let page = 0; page < 300; page++) {
    const started = performance.now();
    keys("\u001b[5~");
    pages.push(performance.now() - started);
  }
  const slowest = Math.max(...pages);
  report({
    name: "screen: slowest page of 10,000 lines in full screen",
    value: slowest,
    unit: "ms",
    budget: "≤ 50",
    ok: slowest <= 50,
  });
  screen.close();
}

/** The chat on a terminal that only counts; every timer's work is a frame and is timed. */
async function openScreen(cwd) {
  const paints = [];
  const { setTimeout: original } = globalThis;
  globalThis.setTimeout = (work, ms, ...args) =>
    original(() => {
      const started = performance.now();
      work(...args);
      paints.push(performance.now() - started);
    }, ms);
  const { Chat } = await import("../dist/chat/chat.js");
  const { ChatScreen } = await import("../dist/screen/chat-screen.js");
  const { readRunOptions } = await import("../dist/run-options.js");
  const { loadHighlighter } = await import("../dist/blocks/highlight.js");
  await loadHighlighter();
  let onInput = () => undefined;
  const terminal = {
    columns: 120,
    rows: 40,
    write: () => undefined,
    start: (listener) => {
      onInput = listener.onInput;
    },
    stop: () => undefined,
  };
  const io = {
    args: [],
    env: {},
    home: cwd,
    cwd,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    interrupted: new AbortController().signal,
  };
  const chat = new Chat({
    options: readRunOptions({}, [], { cwd }),
    io,
    look: "colours",
    view: (own) => new ChatScreen(own, terminal),
  });
  chat.view.start(["codebuff"]);
  return { chat, screen: chat.view, keys: (sequence) => onInput(sequence), paints };
}

/** Every key after `@` on a project of 50,000 files. */
async function filePicking(report, cwd) {
  const files = 50_000;
  for (let folder = 0; folder < 500; folder++) {
    const path = join(cwd, `src/part-${folder % 20}/module-${folder}`);
    await mkdir(path, { recursive: true });
    for (let n = 0; n < files / 500; n++) await writeFile(join(path, `handler-${n}.ts`), "");
  }
  const { chat, screen, keys } = await openScreen(cwd);
  keys("@");
  for (let n = 0; n < 600 && screen.menu === undefined; n++) await pause(50);
  const words = ["hand42", "prt7mod", "module-123", "srchandler", "part-3/mod"];
  const times = [];
  for (const word of words) {
    for (const letter of word) {
      const started = performance.now();
      keys(letter);
      times.push(performance.now() - started);
      await pause(15);
    }
    for (const _ of word) keys("\u007f");
  }
  const value = percentile(times, 95);
  report({ name: "screen: a key after @ with 50,000 files, p95", value, unit: "ms", budget: "≤ 16", ok: value <= 16 });
  const slowest = percentile(await searchTimes(chat, words), 95);
  report({
    name: "screen: from that key to what it finds, p95",
    value: slowest,
    unit: "ms",
    budget: "≤ 100",
    ok: slowest <= 100,
  });
  screen.close();
  await chat.close();
}

/** Every beginning of these words, searched to its end. */
async function searchTimes(chat, words) {
  const { FilePicker } = await import("../dist/input/file-picker.js");
  const picker = new FilePicker(chat);
  await picker.find("");
  const times = [];
  for (const typed of words.flatMap((word) => [...word].map((_, at) => word.slice(0, at + 1)))) {
    const started = performance.now();
    await picker.find(typed);
    times.push(performance.now() - started);
  }
  return times;
}
