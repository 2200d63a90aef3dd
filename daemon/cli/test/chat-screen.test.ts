import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startDaemonProcess } from "./daemon-process.ts";
import { ownHome } from "./own-home.ts";
import { run } from "./run.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const place = ownHome();

const open = (...args: string[]) => openTerminal(args, { ...place, columns: 80, rows: 30 });
const prompt = /\n›$/;
/** Leaves the chat, which ends its own daemon. */
async function leave(terminal: Terminal): Promise<void> {
  terminal.type("/quit\r");
  expect(await terminal.exit).toBe(0);
}

it("what is written while the agent works is queued, shown, and given as messages of its own", async () => {
  const chat = open("chat", "mock", "slow 3000");
  await chat.isLike(/tick/);
  chat.type("echo first line\r");
  chat.type("echo second line\r");
  chat.type("not sent yet");
  await chat.isLike(/queued: echo first line\nqueued: echo second line\n› not sent yet$/);
  await chat.isLike(
    /› echo first line\n\nfirst line\n[\s\S]*› echo second line\n\nsecond line\n[\s\S]*\n› not sent yet$/,
  );
  expect(await chat.everything()).not.toContain("queued");
  chat.type("\x15");
  await leave(chat);
});

it("Ctrl-C interrupts the turn and keeps what was queued and what is being written", async () => {
  const chat = open("chat", "mock", "slow 60000");
  await chat.isLike(/tick/);
  chat.type("echo kept\r");
  await chat.isLike(/queued: echo kept/);
  chat.type("half a thought");
  chat.type("\x03");
  await chat.isLike(
    /interrupting; Ctrl-C again leaves[\s\S]*interrupted\n[\s\S]*› echo kept\n\nkept\n[\s\S]*› half a thought$/,
  );
  chat.type("\x15");
  await leave(chat);
});

it("a message steers the open turn with /steer, and that is said", async () => {
  const chat = open("chat", "mock", "slow 60000");
  await chat.isLike(/tick/);
  chat.type("/steer echo aside\r");
  await chat.isLike(/› echo aside {2}\(steered\)/);
  await chat.isLike(prompt);
  await leave(chat);
});

it("/rewind takes turns back and brings them again, /fork goes on in another session", async () => {
  const chat = open("chat", "mock", "echo first");
  await chat.isLike(/\n› echo first\n\nfirst\n[\s\S]*\n›$/);
  chat.type("echo second\r");
  await chat.isLike(/\n› echo second\n\nsecond\n[\s\S]*\n›$/);
  chat.type("/rewind\r");
  await chat.isLike(/\/rewind takes the number of a turn, or undo/);
  chat.type("/rewind 1\r");
  await chat.isLike(/rewound to turn 1: 1 turn gone/);
  chat.type("/rewind undo\r");
  await chat.isLike(/back again: 1 turn/);
  // What the agent itself remembers of both.
  chat.type("history\r");
  await chat.isLike(/› history\n\s*1\. echo first\n\s*2\. echo second\n[\s\S]*\n›$/);
  chat.type("/fork 1\r");
  // Its id may be broken anywhere, as long as the path before it is.
  await chat.isLike(/\ngoes on with: echo first[\s\S]*\n›$/);
  chat.type("history\r");
  await chat.isLike(/goes on with: echo first[\s\S]*\n› history\n\s*1\. echo first\n(?!\s*2\. echo second)[\s\S]*\n›$/);
  // The one that was forked has it all, and what was said in the fork was said in the fork alone.
  const [source = ""] = (await sessionIds()).filter((id) => !id.includes("-fork-"));
  chat.type(`/sessions ${source}\r`);
  await chat.isLike(/goes on with: echo first[\s\S]*goes on with: [\s\S]*\n›$/);
  chat.type("history\r");
  await chat.isLike(/\n› history\n\s*1\. echo first\n\s*2\. echo second\n\s*3\. history\n(?!\s*4\.)[\s\S]*\n›$/);
  await leave(chat);
});

it("several lines are one message, whether typed or pasted, and Up brings it back, also in the next chat", async () => {
  const chat = open("chat", "mock");
  await chat.isLike(prompt);
  chat.type("echo one\\\r");
  chat.type("two\r");
  await chat.isLike(/› echo one\n {2}two\n\none\ntwo\n/);
  await chat.isLike(prompt);
  chat.type("\x1b[200~echo a\rb\x1b[201~");
  await chat.isLike(/› echo a\n {2}b$/);
  chat.type("\r");
  await chat.isLike(/\na\nb\n/);
  await chat.isLike(prompt);
  chat.type("\x1b[A");
  await chat.isLike(/› echo a\n {2}b$/);
  chat.type("\x03");
  await chat.isLike(prompt);
  await leave(chat);
  const next = open("chat", "mock", "--continue");
  await next.isLike(/goes on with: echo one two/);
  next.type("\x1b[A\x1b[A");
  await next.isLike(/› echo a\n {2}b$/);
  next.type("\x03");
  await leave(next);
});

it("/help lists the commands, and /model, /mode and /permissions show and change the session", async () => {
  const chat = open("chat", "mock");
  await chat.isLike(prompt);
  chat.type("/help\r");
  await chat.isLike(
    /\/model \[name\][\s\S]*\/mode \[name\][\s\S]*\/permissions \[mode\][\s\S]*\/attach <file>[\s\S]*\/sessions \[id\][\s\S]*\/quit/,
  );
  chat.type("/model\r");
  await chat.isLike(/model +name[\s\S]*mock-small \*/);
  chat.type("/model mock-large\r");
  await chat.isLike(/model: mock-large/);
  chat.type("/mode\r");
  await chat.isLike(/mode +description/);
  chat.type("/permissions plan\r");
  await chat.isLike(/permissions: plan/);
  chat.type("/permissions everything\r");
  await chat.isLike(/! \/permissions takes default, acceptEdits, plan, bypass/);
  await leave(chat);
});

it("files go with a message by /attach, @file and --attach; a file that is not there sends nothing", async () => {
  await writeFile(join(place.directory, "notes.txt"), "notes of today\n");
  await writeFile(join(place.directory, "picture.png"), Buffer.from("89504e470d0a1a0a", "hex"));
  const chat = open("chat", "mock");
  await chat.isLike(prompt);
  chat.type("/attach no-such.txt\r");
  await chat.isLike(/! cannot attach no-such\.txt/);
  chat.type("/attach picture.png\r");
  await chat.isLike(/attached: picture\.png\n›$/);
  chat.type("look at @no\t");
  await chat.isLike(/› look at @notes\.txt$/);
  chat.type("\r");
  await chat.isLike(/\n› look at @notes\.txt\n[\s\S]*\n›$/);
  await leave(chat);
  const again = openTerminal(["run", "mock", "--attach", "notes.txt", "--continue", "look again"], { ...place });
  expect(await again.exit).toBe(0);
  expect(again.written()).toContain("goes on with look at @notes.txt");
  const events = await eventsOf();
  const sent = events.filter(({ type, data }) => type === "message.updated" && data.status === "queued");
  expect(
    sent.map(({ data }) => data.attachments.map(({ path, mime }: { path: string; mime: string }) => [path, mime])),
  ).toEqual([
    [
      [join(place.directory, "picture.png"), "image/png"],
      [join(place.directory, "notes.txt"), "text/plain"],
    ],
    [[join(place.directory, "notes.txt"), "text/plain"]],
  ]);
  const lost = openTerminal(["run", "mock", "--attach", "gone.txt", "hello"], { ...place });
  expect(await lost.exit).toBe(2);
});

it("/sessions shows the sessions of the directory by name, and goes on with the one that is named", async () => {
  const first = openTerminal(["run", "mock", "--session", "older", "echo an older talk"], { ...place });
  expect(await first.exit).toBe(0);
  const chat = open("chat", "mock", "echo a newer talk");
  await chat.isLike(/a newer talk\n[\s\S]*\n›$/);
  chat.type("/sessions\r");
  await chat.isLike(
    /session +agent +state +used +name[\s\S]*echo a newer talk[\s\S]*older +mock +asleep +now +echo an older talk/,
  );
  chat.type("/sessions older\r");
  await chat.isLike(/session older\ngoes on with: echo an older talk/);
  chat.type("history\r");
  await chat.isLike(/1\. echo an older talk/);
  await leave(chat);
});

it("a session that waits for a person asks whoever comes to it", async () => {
  const daemon = await startDaemonProcess(["--port", "0"], { HOME: place.home });
  const options = { env: { HOME: place.home }, home: place.home, directory: place.directory };
  await run(["sessions", "create", "asks", "mock"], options);
  await run(["sessions", "send-message", "asks", "permission touch a"], options);
  await expect
    .poll(async () => JSON.parse((await run(["sessions", "get", "asks"], options)).out).state)
    .toBe("waiting");
  const chat = open("chat", "mock");
  await chat.isLike(prompt);
  chat.type("/sessions asks\r");
  await chat.isLike(/\? Run touch a[\s\S]*\[y\]es, \[a\]lways, \[n\]o \(and why\) ›$/);
  chat.type("y\r");
  await chat.isLike(/I was allowed to: touch a/);
  await chat.isLike(prompt);
  await leave(chat);
  await daemon.stop();
});

it("a question takes nothing of what is being written, and a number that is none is asked again", async () => {
  const chat = open("chat", "mock");
  await chat.isLike(prompt);
  chat.type("question\r");
  await chat.isLike(/1\. [\s\S]*a number or your own words ›$/);
  chat.type("7\r");
  await chat.isLike(/that is none of the answers: the numbers go from 1 to \d/);
  chat.type("2\r");
  await chat.isLike(/You answered: Blue/);
  await chat.isLike(prompt);
  await leave(chat);
});

it("Ctrl-C at a question interrupts the turn, asks nothing else, and leaves the chat open", async () => {
  const chat = open("chat", "mock", "demo");
  await chat.isLike(/Which colour shall it be\?[\s\S]*your own words ›$/);
  chat.type("\x03");
  await chat.isLike(/interrupting; Ctrl-C again leaves[\s\S]*\ninterrupted\n[\s\S]*\n›$/);
  expect((await chat.everything()).match(/Which colour/g)).toHaveLength(1);
  await leave(chat);
});

it("answers are drawn as Markdown with colours, and as they are where NO_COLOR says so", async () => {
  const drawn = openTerminal(["run", "mock", "markdown"], { ...place, columns: 80 });
  expect(await drawn.exit).toBe(0);
  expect(await drawn.everything()).not.toMatch(/\*\*|^#|```|\|---/m);
  const plain = openTerminal(["run", "mock", "markdown"], { ...place, columns: 80, env: { NO_COLOR: "1" } });
  expect(await plain.exit).toBe(0);
  expect(await plain.everything()).toMatch(/\*\*|^#/m);
});

it("a chat whose daemon dies says so in one line at once and ends with 3", async () => {
  const daemon = await startDaemonProcess(["--port", "0"], { HOME: place.home });
  const chat = open("chat", "mock", "slow 60000");
  await chat.isLike(/tick/);
  daemon.child.kill("SIGKILL");
  await daemon.exit;
  expect(await chat.exit).toBe(3);
  const shown = (await chat.everything()).split("\n");
  const at = shown.findIndex((line) => line.startsWith("error: "));
  // One line of ours, which the terminal wrapped.
  expect(shown.slice(at).join("")).toMatch(
    /^error: Cannot reach the daemon at http:\S+: it has gone; the conversation is kept: sandbox-daemon run mock --session ses_\w+ "…" goes on when it runs again$/,
  );
});

interface Logged {
  type: string;
  data: { status: string; attachments: { path: string; mime: string }[] };
}

/** Of every session there is. */
function sessionIds(): Promise<string[]> {
  return readdir(join(place.home, ".local/share/muster/sessions"));
}

/** Every event of the only session. */
async function eventsOf(): Promise<Logged[]> {
  const sessions = join(place.home, ".local/share/muster/sessions");
  const [name = ""] = await sessionIds();
  const files = (await readdir(join(sessions, name))).filter((file) => file.startsWith("events-")).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(sessions, name, file), "utf8")));
  return texts
    .join("")
    .split("\n")
    .filter((line) => line.startsWith('{"sequence"'))
    .map((line) => JSON.parse(line));
}
