import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createClient } from "@muster/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { answerJson, startRecordingServer } from "./recording-server.ts";
import { run as runHere } from "./run.ts";

const bin = fileURLToPath(new URL("../bin/sandbox-daemon.cjs", import.meta.url));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let work: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, "home");
  work = join(folder.path, "work");
  await mkdir(home);
  await mkdir(work);
});
afterEach(() => folder.remove());

/** The command as somebody types it, in a home and a directory of their own. */
function type(args: string[]) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out = text(child.stdout);
  const err = text(child.stderr);
  const done = once(child, "exit").then(async ([code]) => ({ code: code as number, out: await out, err: await err }));
  return { child, done };
}
/** The same inside this process, which is quicker; nothing there is to be interrupted. */
const run = (args: string[], { stdin = "" } = {}) =>
  runHere(args, { env: { HOME: home }, home, directory: work, stdin });
const dataDirectory = () => join(home, ".local", "share", "muster");

/** Resolves when the child has written this. */
function said(child: ReturnType<typeof type>["child"], words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = "";
    child.stdout.on("data", (chunk) => {
      seen += chunk;
      if (seen.includes(words)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code} and never said ${words}: ${seen}`)));
  });
}

describe("run", () => {
  it("needs no daemon: it is one in the current directory, shows the turn, and leaves nothing running", async () => {
    expect(await run(["run", "mock", "echo hello"])).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(/^hello\n\n\d/),
    });
    const [session] = JSON.parse(
      (await withDaemon((url) => run(["sessions", "list", "--endpoint", url]))).out,
    ).sessions;
    expect(session).toMatchObject({ agent: "mock", directory: work });
    // The daemon is gone with the command, and so is every process of an agent.
    expect(await readdir(join(dataDirectory(), "lives"))).toEqual([]);
    expect(await readdir(dataDirectory())).not.toContain("endpoint");
  });

  it("goes on with the last session of this directory", async () => {
    await run(["run", "mock", "echo first"]);
    await run(["run", "mock", "--continue", "echo second"]);
    const { out } = await run(["run", "mock", "--continue", "history"]);
    expect(out).toContain("echo first");
    expect(out).toContain("echo second");
    await mkdir(join(work, "elsewhere"));
    const other = await run(["run", "mock", "--continue", "--directory", "elsewhere", "history"]);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining("to continue") });
  });

  it("asks one question to find the session to go on with, however many there are", async () => {
    const server = await startRecordingServer(answerJson(200, { installed: true, sessions: [], hasMore: true }));
    const { code, err } = await run([
      "run",
      "mock",
      "--continue",
      "history",
      "--endpoint",
      server.endpoint,
      "--token",
      "t",
    ]);
    await server.close();
    expect({ code, err }).toEqual({ code: 2, err: `error: there is no session of mock in ${work} to continue\n` });
    const query = new URLSearchParams({ agent: "mock", directory: work, order: "used", limit: "1" });
    const asked = server.requests
      .map(({ url }) => new URL(url, server.endpoint))
      .filter(({ pathname }) => pathname === "/sessions");
    expect(asked.map(({ searchParams }) => [...searchParams].sort())).toEqual([[...query].sort()]);
  });

  it("asks permissions, questions and plans where it is, and takes the answers from there", async () => {
    const allowed = await run(["run", "mock", "--stdin", "answers", "permission"], { stdin: "perhaps\ny\n" });
    expect(allowed.code).toBe(0);
    expect(allowed.out).toContain("? Run rm -rf build\n");
    expect(allowed.out.match(/\[y\]es, \[a\]lways, \[n\]o/g)).toHaveLength(2);
    expect(allowed.out).toContain("I was allowed to: rm -rf build");
    const refused = await run(["run", "mock", "--stdin", "answers", "permission"], { stdin: "no, not that\n" });
    expect(refused.out).toContain("I was not allowed to: rm -rf build (not that)");
    const answered = await run(["run", "mock", "--stdin", "answers", "questions"], { stdin: "2\n1,2\n" });
    expect(answered.out).toContain("  1. ");
    expect(answered.code).toBe(0);
    const planned = await run(["run", "mock", "--stdin", "answers", "--permission-mode", "plan", "plan"], {
      stdin: "1\n",
    });
    expect(planned.out).toContain("The plan is done.");
  });

  it("says no when nobody can be asked, instead of waiting for ever", async () => {
    const { code, out } = await run(["run", "mock", "permission"]);
    expect(out).toContain("nobody can be asked here: rejected");
    expect(out).toContain("I was not allowed to");
    expect(code).toBe(0);
  });

  it("says of a question that nobody answers what would help, which no permission mode does", async () => {
    const { out } = await run(["run", "mock", "question"]);
    expect(out).toContain("left unanswered. --stdin answers reads the answers from a pipe");
    expect(out).not.toContain("--permission-mode");
  });

  it("says in one line of its own that the daemon has gone, at once, and ends with 3", async () => {
    const daemon = await startDaemonProcess(["--port", "0"], { HOME: home });
    const { child, done } = type(["run", "mock", "slow 60000"]);
    await said(child, "tick");
    daemon.child.kill("SIGKILL");
    await daemon.exit;
    const { code, out, err } = await done;
    expect([code, out.endsWith("\n")]).toEqual([3, true]);
    expect(err.split("\n").slice(-2)).toEqual([
      expect.stringMatching(/^error: Cannot reach the daemon at http:\S+: it has gone; the conversation is kept/),
      "",
    ]);
  });

  it("ends with 1 for a turn that fails and for an agent that does not start, and keeps no such session", async () => {
    expect(await run(["run", "mock", "error"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("failed (provider_error)"),
    });
    const { code, err } = await run(["run", "claude", "hi", "--agent-version", "nonsense"]);
    expect({ code, lines: err.trimEnd().split("\n").length }).toEqual({ code: 1, lines: 1 });
    const { out } = await withDaemon((url) => run(["sessions", "list", "--endpoint", url]));
    expect(JSON.parse(out).sessions.map(({ agent }: { agent: string }) => agent)).toEqual(["mock"]);
  });

  it("tells that no key was found before anybody waits for a download", async () => {
    const nowhere = { HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
    const options = { env: { HOME: home, ...nowhere }, home, directory: work };
    const { code, err } = await runHere(["run", "codex", "hi"], options);
    const [first, second] = err.split("\n");
    expect([code, first, second]).toEqual([
      1,
      "no key for Codex was found where the daemon runs; it may need one once it is installed",
      "installing codex",
    ]);
  });

  it("interrupts the turn at the first Ctrl-C and ends with 130", async () => {
    const { child, done } = type(["run", "mock", "--format", "json", "slow 60000"]);
    await said(child, "turn.started");
    child.kill("SIGINT");
    const { code, out } = await done;
    expect(code).toBe(130);
    expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "turn.ended",
      data: { status: "interrupted", cause: "interrupted_by_user" },
    });
  });

  it("leaves at the second Ctrl-C, and takes the agent with it", async () => {
    const { child, done } = type(["run", "mock", "--format", "json", "hang"]);
    await said(child, "turn.started");
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect((await done).code).toBe(130);
    await run(["run", "mock", "echo next"]);
    expect(await readdir(join(dataDirectory(), "lives"))).toEqual([]);
  });

  it("uses the daemon that runs, wherever it listens", async () => {
    await withDaemon(async (url) => {
      expect(await run(["run", "mock", "--session", "mine", "echo there"])).toMatchObject({ code: 0 });
      const client = createClient({
        endpoint: url,
        token: (await readFile(join(dataDirectory(), "token"), "utf8")).trim(),
      });
      expect(await client.sessions.get({ sessionId: "mine" })).toMatchObject({ agent: "mock", directory: work });
    });
  });

  it("two at once share one daemon, and the first stays until the second is done", async () => {
    const first = type(["run", "mock", "--format", "json", "slow 60000"]);
    await said(first.child, "turn.started");
    const second = type(["run", "mock", "--format", "json", "slow 60000"]);
    await said(second.child, "turn.started");
    first.child.kill("SIGINT");
    const waiting = new Promise<void>((resolve) =>
      first.child.stderr.on("data", (d) => /stays/.test(`${d}`) && resolve()),
    );
    await waiting;
    second.child.kill("SIGINT");
    expect((await second.done).code).toBe(130);
    expect((await first.done).code).toBe(130);
  });

  it("adds what comes through a pipe to the message", async () => {
    const { code, out } = await run(["run", "mock", "echo review this:"], { stdin: "+ a line of a diff\n" });
    expect(code).toBe(0);
    expect(out).toContain("review this:\n\n+ a line of a diff");
  });

  it("goes on without a pipe that nobody writes into or closes", async () => {
    const { child, done } = type(["run", "mock", "echo alone"]);
    const { code } = await done;
    expect(code).toBe(0);
    expect(child.exitCode).toBe(0);
  });

  it("declines what is asked where JSON is wanted and nobody is at a terminal", async () => {
    const { code, out } = await run(["run", "mock", "--format", "json", "permission"]);
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const resolved = events.find(({ type }) => type === "permission.resolved");
    expect(resolved?.data).toMatchObject({ decision: "reject", by: "client" });
    expect([code, events.at(-1)?.type]).toEqual([0, "turn.ended"]);
  });

  it("reads the task from a pipe", async () => {
    expect(await run(["run", "mock"], { stdin: "echo piped\n" })).toMatchObject({
      code: 0,
      out: expect.stringContaining("piped"),
    });
    expect(await run(["run", "mock"])).toMatchObject({ code: 2, err: expect.stringContaining("no task") });
  });
});

describe("chat", () => {
  it("is one message after the other, with answers in between, until there are no more", async () => {
    const lines = ["echo one", "", "permission", "a", "permission", "history", "/exit", "echo never"];
    const { code, out } = await run(["chat", "mock"], { stdin: `${lines.join("\n")}\n` });
    expect(code).toBe(0);
    expect(out).toContain("› echo one\none\n");
    expect(out.match(/\[y\]es/g)).toHaveLength(1);
    expect(out.match(/I was allowed to/g)?.length).toBe(2);
    expect(out).not.toContain("never");
  });
});

async function withDaemon<T>(use: (url: string) => Promise<T>): Promise<T> {
  const daemon = await startDaemonProcess(["--port", "0"], { HOME: home });
  try {
    return await use(daemon.url);
  } finally {
    await daemon.stop();
  }
}
