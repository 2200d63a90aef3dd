import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { run } from "./run.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let work: string;
let daemon: Awaited<ReturnType<typeof startDaemonProcess>> | undefined;
const transcript: string[] = [];
beforeAll(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, "home");
  work = join(folder.path, "work");
  await mkdir(home);
  await mkdir(work);
});
afterAll(async () => {
  if (daemon?.child.exitCode === null) await daemon.stop();
  await folder.remove();
});

/** Types a command, as text, and keeps what came of it; what differs from time to time is made the same. */
async function type(...args: string[]): Promise<string> {
  const isTalk = args[0] === "run" || args[0] === "--port";
  const options = { env: { HOME: home }, home, directory: work };
  const { code, out, err } = await run(isTalk ? args : [...args, "--format", "text"], options);
  const shown = neutral(`${out}${err}${code === 0 ? "" : `(exit ${code})\n`}`);
  transcript.push(`$ sandbox-daemon ${neutral(args.join(" "))}\n${shown}`);
  return shown;
}

function neutral(text: string): string {
  return text
    .replaceAll(folder.path, "")
    .replaceAll(/ses_[0-9a-f]{10}/g, "ses_1")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:PORT")
    .replaceAll(/in use by process \d+/g, "in use by process PID")
    .replaceAll(/\d+\.\d s\b/g, "0.0 s")
    .replaceAll(/mock \d+\.\d+\.\d+/g, "mock 0.0.0")
    .replaceAll(/connect ECONNREFUSED [\d.:]+/g, "connect ECONNREFUSED");
}

it("the first five minutes in an empty home read like this", async () => {
  await type("run", "mock", "echo hello");
  await type("sessions", "list", "--endpoint", "http://127.0.0.1:3");
  daemon = await startDaemonProcess(["--port", "0"], { HOME: home });
  expect(daemon.greeting).toContain(`agents work in ${home}, unless a session says otherwise`);
  await type("--port", "0");
  const [id = ""] = /ses_[0-9a-f]{10}/.exec((await run(["sessions", "create", "mock"], here())).out) ?? [];
  await type("sessions", "stream-message", id, "tool");
  await run(["sessions", "send-message", id, "permission"], here());
  await waitForRequest(id);
  await type("sessions", "reply-permission", id, "permission_1", "once");
  await waitForIdle(id);
  await type("sessions", "stream-message", id, "error");
  await type("sessions", "get-messages", id);
  await type("sessions", "delete", id);
  await type("sessions", "create", id, "mock");
  await type("sessions", "create", id, "mock", "--reuse");
  await type("agents", "uninstall", "codex");
  await expect(transcript.join("\n")).toMatchFileSnapshot("first-five-minutes.txt");
});

it("a normal stop says one line and warns of nothing", async () => {
  if (daemon === undefined) throw new Error("there is no daemon");
  const rest = text(daemon.child.stdout);
  expect(await daemon.stop()).toEqual({ code: 0, signal: null });
  expect([await rest, await daemon.err]).toEqual(["sandbox-daemon has stopped; its sessions are kept\n", ""]);
});

function here() {
  return { env: { HOME: home }, home, directory: work };
}

/** The agent has asked: until then there is nothing to answer. */
async function waitForRequest(sessionId: string): Promise<void> {
  for (;;) {
    const { out } = await run(["sessions", "list-requests", sessionId], here());
    if (JSON.parse(out).permissions.length > 0) return;
  }
}

/** The turn before is over: a message that is sent into it would show its end too. */
async function waitForIdle(sessionId: string): Promise<void> {
  for (;;) {
    const { out } = await run(["sessions", "get", sessionId], here());
    if (JSON.parse(out).state === "idle") return;
  }
}
