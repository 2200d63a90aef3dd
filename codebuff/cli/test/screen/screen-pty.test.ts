import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { openPtyWorld } from "./pty-world.ts";

const endless = { conversations: [{ turns: [{ text: "word ".repeat(20_000), pace: { chars: 5, delayMs: 20 } }] }] };
const hello = { conversations: [{ turns: [{ text: "Hello from the model.", times: "always" as const }] }] };

/** The process of the command in that shell, by the project it works in. */
function pidOf(project: string): number {
  const own = readdirSync("/proc").filter((name) => {
    try {
      const isOurs = readlinkSync(`/proc/${name}/cwd`) === project;
      return isOurs && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("bin/codebuff");
    } catch {
      // No process, not ours, or it ended meanwhile.
      return false;
    }
  });
  return Math.min(...own.map(Number));
}

it("starts, answers, leaves, and what the terminal held before is still there", async () => {
  const world = await openPtyWorld(hello);
  const shell = world.openShell();
  shell.type("for i in $(seq 1 60); do echo earlier $i; done\r");
  await shell.shows("earlier 60");
  shell.type("codebuff\r");
  await shell.shows("› ");
  shell.type("hi there\r");
  await shell.shows("Hello from the model.");
  shell.type("\u0004");
  await shell.shows(/codebuff --continue s_\w+\nshell>\s*$/);
  const everything = await shell.everything();
  for (let n = 1; n <= 60; n++) expect(everything).toContain(`earlier ${n}\n`);
  expect(shell.written.split("\u001b").filter((one) => /^\[[23]J|^\[\?100[0236]h/.test(one))).toEqual([]);
  shell.type("echo typed$((1+1))\r");
  await shell.shows("typed2");
});

it.each([["SIGTERM"], ["SIGINT"], ["SIGHUP"]])("gives the terminal back when it is ended by %s", async (signal) => {
  const world = await openPtyWorld(endless);
  const shell = world.openShell();
  shell.type("codebuff; echo code $?\r");
  await shell.shows("› ");
  shell.type("write\r");
  await shell.shows("word word");
  process.kill(pidOf(world.project), signal);
  await shell.shows(/code (?:143|130|129)/);
  shell.type("stty -a | grep -o ' icanon'; echo echoed$((1+1))\r");
  await shell.shows(/ icanon\n.*echoed2|icanon[\s\S]*echoed2/);
  expect(shell.written).toContain("\u001b[?2004l");
});

it("gives the terminal back when it crashes, and tells why", async () => {
  const world = await openPtyWorld(hello);
  const crash = join(world.project, "crash.cjs");
  await writeFile(crash, 'process.on("SIGUSR2", () => { throw new Error("planted crash"); });\n');
  const shell = world.openShell({ NODE_OPTIONS: `--require ${crash}` });
  shell.type("codebuff; echo code $?\r");
  await shell.shows("› ");
  shell.type("hi\r");
  await shell.shows("Hello from the model.");
  process.kill(pidOf(world.project), "SIGUSR2");
  await shell.shows("planted crash");
  await shell.shows("code 1");
  shell.type("stty -a | grep -o ' icanon'; echo echoed$((1+1))\r");
  await shell.shows(/icanon[\s\S]*echoed2/);
  expect(shell.written).toContain("\u001b[?2004l");
});

it("is stopped by Ctrl-Z and comes back with fg", async () => {
  const world = await openPtyWorld(hello);
  const shell = world.openShell();
  shell.type("codebuff\r");
  await shell.shows("› ");
  shell.type("half a word\u001a");
  await shell.shows("Stopped");
  shell.type("echo typed$((1+1))\r");
  await shell.shows("typed2");
  shell.type("fg\r");
  await shell.shows("› half a word");
  shell.type("\r");
  await shell.shows("Hello from the model.");
});

it("is interrupted by Escape while a command of the agent runs", async () => {
  const command = { name: "run_terminal_command", native: true, input: { command: "sleep 300" } };
  const world = await openPtyWorld({ conversations: [{ turns: [{ tools: [command] }, { text: "Never." }] }] });
  const shell = world.openShell();
  shell.type("codebuff --permissions allow\r");
  await shell.shows("› ");
  shell.type("wait\r");
  await shell.shows("● run_terminal_command sleep 300");
  shell.type("\u001b");
  await shell.shows(/^interrupted · /m);
});

it("is resized while it streams without losing a line", async () => {
  const lines = Array.from({ length: 120 }, (_, n) => `row ${n}`).join("\n\n");
  const world = await openPtyWorld({ conversations: [{ turns: [{ text: lines, pace: { chars: 12, delayMs: 10 } }] }] });
  const shell = world.openShell();
  shell.type("codebuff\r");
  await shell.shows("› ");
  shell.type("count\r");
  for (const [at, [columns, rows]] of [
    [60, 20],
    [140, 45],
    [80, 12],
    [100, 30],
  ].entries()) {
    await shell.shows(new RegExp(`^row ${10 + at * 20}$`, "m"));
    shell.resize(columns ?? 80, rows ?? 24);
  }
  await shell.shows(/^row 119$/m);
  const everything = await shell.everything();
  const lost = Array.from({ length: 120 }, (_, n) => n).filter((n) => !new RegExp(`^row ${n}$`, "m").test(everything));
  expect(lost).toEqual([]);
});

it("hands the text to $EDITOR and takes it back", async () => {
  const world = await openPtyWorld(hello);
  const editor = join(world.project, "editor.sh");
  await writeFile(editor, '#!/bin/sh\nprintf "%s and edited" "$(cat "$1")" > "$1.new" && mv "$1.new" "$1"\n', {
    mode: 0o755,
  });
  const shell = world.openShell({ EDITOR: editor });
  shell.type("codebuff\r");
  await shell.shows("› ");
  shell.type("written\u0007");
  await shell.shows("› written and edited");
  shell.type("\r");
  await shell.shows("Hello from the model.");
});

it("goes on after kill -9, with what was queued", async () => {
  const world = await openPtyWorld(endless);
  const first = world.openShell();
  first.type("codebuff\r");
  await first.shows("› ");
  first.type("first prompt\r");
  await first.shows("word word");
  first.type("second prompt\r");
  await first.shows("1 queued: second prompt");
  process.kill(pidOf(world.project), "SIGKILL");
  await first.shows("Killed");
  const second = world.openShell();
  second.type("codebuff --continue\r");
  await second.shows("› first prompt");
  await second.shows("1 queued: second prompt");
  await second.shows("paused");
});

it("opens the chat with the prompt of its command line, which asks before it changes anything", async () => {
  const write = { name: "write_file", native: true, input: { path: "a.txt", instructions: "x", content: "made\n" } };
  const world = await openPtyWorld({
    conversations: [{ turns: [{ tools: [write] }, { text: "Written.", times: "always" }] }],
  });
  const shell = world.openShell();
  shell.type("codebuff write a file\r");
  await shell.shows("› write a file");
  await shell.shows("Allow once");
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
  await setTimeout(320);
  shell.type("1");
  await shell.shows("Written.");
  await shell.shows(/DEFAULT · .*anthropic\/claude-sonnet-4\.6/);
  shell.type("and again\r");
  await shell.shows("› and again");
});
