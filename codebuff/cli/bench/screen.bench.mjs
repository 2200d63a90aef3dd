/** What a person at the terminal would notice: bytes, lost lines, echo, frames, start, memory. Runs the build. */
import { spawnSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds, residentMegabytes } from "../../../bench/processes.mjs";
import { median, percentile } from "../../../bench/statistics.mjs";
import { openPlace, Terminal } from "./pty.mjs";
import { compare, longAnswer, random } from "./screen-text.mjs";

const always = (text, pace) => ({ conversations: [{ turns: [{ text, pace, times: "always" }] }] });
/** About 200 lines a second. */
const steady = { chars: 110, delayMs: 10 };

/** In the order in which they run. */
export const parts = { streaming, resizing, echo, starting, longLife, inTmux };

export async function run(report) {
  for (const part of Object.values(parts)) await part(report);
}

/** 1,000 lines with code and tables below 100 lines of the shell. */
async function streaming(report) {
  const place = await openPlace(always(longAnswer(1000), steady));
  try {
    const terminal = await begin(place);
    const before = terminal.bytes;
    terminal.type("write\r");
    await terminal.shows("% context");
    const lines = await terminal.lines();
    const { lost, doubled } = compare(lines, 1000);
    const shell = Array.from({ length: 100 }, (_, n) => n).filter((n) => !lines.includes(`earlier ${n}`));
    const kilobytes = (terminal.bytes - before) / 1000;
    line(report, "screen: written per 1,000 lines", kilobytes, "kB", 400);
    exactly(report, "screen: words lost of 1,000 lines", lost.length);
    exactly(report, "screen: fragments that stand twice without a resize", doubled);
    exactly(report, "screen: lines of the shell lost of 100", shell.length);
    exactly(report, "screen: full clears", terminal.clears);
  } finally {
    await place.close();
  }
}

async function resizing(report) {
  let [lost, doubled, clears, resizes] = [0, 0, 0, 0];
  for (const seed of [1, 2, 3, 4, 5]) {
    const place = await openPlace(always(longAnswer(1000), steady));
    try {
      const next = random(seed);
      const terminal = await begin(place);
      terminal.type("write\r");
      for (let n = 0; n < 25; n++) {
        await pause(120 + next(80));
        terminal.resize(50 + next(120), 12 + next(40));
        resizes++;
      }
      await terminal.shows("% context");
      const found = compare(await terminal.lines(), 1000);
      lost += found.lost.length;
      doubled = Math.max(doubled, found.doubled);
      clears += terminal.clears;
    } finally {
      await place.close();
    }
  }
  exactly(report, `screen: words lost in ${resizes} resizes, 5 seeds`, lost);
  line(report, "screen: fragments that stand twice in 25 resizes, worst seed", doubled, "", 25);
  exactly(report, "screen: full clears in resizes", clears);
}

/** From a key to its letter on the screen while the model writes, and the same after 10,000 lines. */
async function echo(report) {
  const place = await openPlace({
    conversations: [
      {
        turns: [
          { text: longAnswer(10_000), match: { user: "ten thousand" }, pace: { chars: 4000, delayMs: 10 } },
          { text: longAnswer(3000), pace: steady, times: "always" },
        ],
      },
    ],
  });
  try {
    const terminal = await begin(place);
    terminal.type("write\r");
    await terminal.shows("number 200 of it");
    const times = await typeLetters(terminal, 250);
    line(report, "screen: echo of a key while 200 lines/s stream, p99", percentile(times, 99), "ms", 16);
    const interrupt = await terminal.until("interrupted", () => terminal.type("\u001b"));
    line(report, "screen: Escape to 'interrupted'", interrupt, "ms", 200);
    await pause(300);
    terminal.type("ten thousand\r");
    await terminal.shows("number 9999 of it");
    await terminal.shows(/number 9999 of it[\s\S]*% context/);
    terminal.type("write\r");
    await terminal.shows(/number 9999 of it[\s\S]*number 100 of it/);
    const later = await typeLetters(terminal, 250);
    line(report, "screen: the same after 10,000 lines, p99", percentile(later, 99), "ms", 16);
  } finally {
    await place.close();
  }
}

/** Letters one by one; the editor is cleared before it grows a second line. */
async function typeLetters(terminal, count) {
  const times = [];
  let typed = "";
  for (let n = 0; n < count; n++) {
    if (typed.length === 60) {
      await pause(40);
      terminal.type("\u0003");
      await pause(60);
      typed = "";
    }
    typed += String.fromCharCode(97 + ((n * 7) % 26));
    const letter = typed.at(-1);
    times.push(await terminal.untilShown(typed, () => terminal.type(letter)));
    await pause(15 + (n % 23));
  }
  terminal.type("\u0003");
  await pause(60);
  return times;
}

async function starting(report) {
  const place = await openPlace(always("Hello."));
  try {
    const first = async () => {
      const terminal = place.open(process.execPath, [join(place.root, "bin/codebuff")]);
      const ms = await terminal.until("›");
      await terminal.close();
      return ms;
    };
    const rounds = async () => {
      const times = [];
      for (let round = 0; round < 9; round++) times.push(await first());
      return median(times);
    };
    await first();
    const empty = await rounds();
    line(report, "screen: first frame of the bundle", empty, "ms", 200);
    const folder = await writeOldSessions(place, { files: 200, bytes: 5_000_000 });
    const full = await rounds();
    const more = full - empty;
    report({
      name: "screen: first frame with 1 GB of old sessions",
      value: full,
      unit: "ms",
      baseline: empty,
      baselineIs: "first frame without any session",
      budget: "≤ 20 ms more",
      ok: more <= 20,
    });
    await writeSession(join(folder, "s_large.jsonl"), place.project, 50_000_000, "the very last answer");
    const opened = [];
    for (let round = 0; round < 5; round++) {
      const terminal = place.open(process.execPath, [join(place.root, "bin/codebuff"), "--continue", "s_large"]);
      opened.push(await terminal.until("the very last answer"));
      await terminal.close();
    }
    line(report, "screen: --continue of a session of 50 MB, to its last answer", median(opened), "ms", 500);
  } finally {
    await place.close();
  }
}

/** As the SDK keeps them: a header, then one line for each entry. */
async function writeOldSessions({ home, project }, { files, bytes }) {
  const folder = await sessionsFolder(home, project);
  for (let n = 0; n < files; n++) await writeSession(join(folder, `s_old${n}.jsonl`), project, bytes, "an old answer");
  return folder;
}

/** A session of the command itself tells where they are. */
async function sessionsFolder(home, project) {
  const { SessionStore } = await import("@muster/codebuff-sdk");
  const store = new SessionStore({ cwd: project, home });
  const writer = await store.create({ id: "s_first" });
  await writer.close();
  const projects = join(home, ".codebuff/projects");
  const [name] = await readdir(projects);
  return join(projects, name, "sessions");
}

async function writeSession(file, cwd, bytes, last) {
  const header = { type: "header", version: 1, id: basename(file, ".jsonl"), cwd, created: 1, mode: "DEFAULT" };
  const entries = [JSON.stringify(header)];
  let n = 0;
  let length = 0;
  const add = (body) => {
    const text = JSON.stringify({ n: ++n, at: 1_700_000_000_000 + n, ...body });
    length += text.length + 1;
    entries.push(text);
  };
  const words = "some words that were said a while ago and are kept ".repeat(60);
  while (length < bytes) addTurn(add, `prompt ${n}`, words);
  addTurn(add, "the last prompt", last);
  await writeFile(file, `${entries.join("\n")}\n`);
}

function addTurn(add, prompt, answer) {
  const agentId = "main-agent";
  add({ type: "run", agent: "base2", model: "anthropic/claude-sonnet-4.6" });
  const content = [{ type: "text", text: `<user_message>${prompt}</user_message>` }];
  add({ type: "append", agentId, messages: [{ role: "user", content, tags: ["USER_PROMPT"] }] });
  add({ type: "append", agentId, messages: [{ role: "assistant", content: [{ type: "text", text: answer }] }] });
  add({ type: "end", status: "completed", state: {} });
}

/** 500 turns in one process, then nothing. */
async function longLife(report) {
  const turns = 500;
  const place = await openPlace(always(`${longAnswer(12)}\n\nThat is all.`));
  try {
    const terminal = place.open(process.execPath, [join(place.root, "bin/codebuff")]);
    await terminal.until("›");
    for (let turn = 0; turn < turns; turn++) {
      const ended = terminal.until(/s · \$[\d.]+/);
      terminal.type(`turn ${turn}\r`);
      await ended;
    }
    await pause(500);
    const rss = await residentMegabytes(terminal.pid);
    line(report, `screen: memory after ${turns} turns`, rss, "MB", 250);
    await pause(2000);
    const [before, at] = [await cpuSeconds(terminal.pid), performance.now()];
    await pause(10_000);
    const share = ((await cpuSeconds(terminal.pid)) - before) / ((performance.now() - at) / 1000);
    line(report, "screen: CPU while idle", share * 100, "%", 1);
  } finally {
    await place.close();
  }
}

async function inTmux(report) {
  if (spawnSync("tmux", ["-V"]).status !== 0) return;
  const place = await openPlace(always(longAnswer(1000), steady));
  const socket = join(place.root, "tmux");
  const tmux = (...args) =>
    spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env: place.env, cwd: place.project });
  try {
    await writeFile(
      join(place.root, "tmux.conf"),
      "set -g history-limit 20000\nset -g status off\nset -s escape-time 0\n",
    );
    const args = ["-f", join(place.root, "tmux.conf"), "-S", socket, "new-session", "bash --norc --noprofile"];
    const terminal = new Terminal("tmux", args, { cwd: place.project, env: place.env });
    try {
      await terminal.until(/[#$>] /);
      terminal.type("for i in $(seq 0 99); do echo earlier $i; done; codebuff\r");
      await terminal.until("›");
      terminal.type("write\r");
      await terminal.until("number 100 of it");
      const times = await typeLetters(terminal, 80);
      line(report, "screen in tmux: echo of a key while 200 lines/s stream, p99", percentile(times, 99), "ms", 25);
      for (const [columns, rows] of [
        [80, 30],
        [140, 45],
        [100, 24],
      ]) {
        terminal.resize(columns, rows);
        await pause(400);
      }
      const everything = () => String(tmux("capture-pane", "-p", "-J", "-S", "-").stdout);
      for (let n = 0; n < 300 && !everything().includes("% context"); n++) await pause(100);
      const lines = everything().split("\n");
      const shell = Array.from({ length: 100 }, (_, n) => n).filter((n) => !lines.includes(`earlier ${n}`));
      const { lost, doubled } = compare(lines, 1000);
      exactly(report, "screen in tmux: words of 1,000 lines lost in 3 resizes", lost.length);
      line(report, "screen in tmux: fragments that stand twice in 3 resizes", doubled, "", 3);
      exactly(report, "screen in tmux: lines of the shell lost of 100", shell.length);
    } finally {
      tmux("kill-server");
      await terminal.close();
    }
  } finally {
    await place.close();
  }
}

async function begin(place) {
  const terminal = place.open();
  await terminal.until("shell>");
  terminal.type("for i in $(seq 0 99); do echo earlier $i; done; codebuff\r");
  await terminal.until("›");
  return terminal;
}

function line(report, name, value, unit, most) {
  report({ name, value, unit, budget: `≤ ${most}`, ok: value <= most });
}

function exactly(report, name, value) {
  report({ name, value, unit: "", budget: "0", ok: value === 0 });
}
