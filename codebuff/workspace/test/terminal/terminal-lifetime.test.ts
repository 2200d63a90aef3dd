import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { interruptedMessage } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import { Terminal } from "../../src/terminal/index.ts";
import { openTerminal, processesWith, temporaryPlace, uniqueSeconds, until } from "./terminal-fixture.ts";

const agent = { agentMode: true };
// Programs that a test starts run the build.
const door = new URL("../../dist/terminal/index.js", import.meta.url).href;

describe("the life of a terminal's processes", () => {
  test.each([
    ["normal mode", {}],
    ["agent mode", agent],
  ])("P20, D4: an abort in %s ends the command and nothing of it happens later", async (_, mode) => {
    const terminal = openTerminal();
    const seconds = uniqueSeconds();
    const marker = join(terminal.root, "marker");
    await terminal.run({ command: "cd /usr; export KEPT=1" }, mode);
    const abort = new AbortController();
    const command = `bash -c 'sleep ${seconds}; touch ${marker}'; touch ${marker}`;
    const run = terminal.run({ command }, { ...mode, signal: abort.signal });
    await until(() => processesWith(seconds).length > 0, "the command runs");
    abort.abort();
    expect(await run).toMatchObject({ interrupted: true, status: "died", exitCode: 130, cwd: "/usr" });
    expect(processesWith(seconds)).toEqual([]);
    expect((await terminal.run({ command: "pwd; echo $KEPT" })).stdout).toBe("/usr\n1\n");
    expect(existsSync(marker)).toBe(false);
  });

  test("an abort before the start runs nothing, also for a call that waits behind another", async () => {
    const terminal = openTerminal();
    const gone = { interrupted: true, message: "The command had not started.", errorMessage: interruptedMessage };
    expect(await terminal.run({ command: "touch one" }, { signal: AbortSignal.abort() })).toMatchObject(gone);
    await terminal.run({ command: "true" });
    const abort = new AbortController();
    const first = terminal.run({ command: "touch begun; sleep 1; echo first" });
    const second = terminal.run({ command: "touch two" }, { signal: abort.signal });
    const third = terminal.run({ command: "ls" });
    await until(() => existsSync(join(terminal.root, "begun")), "the first runs");
    abort.abort();
    expect(await second).toMatchObject(gone);
    expect(existsSync(join(terminal.root, "two"))).toBe(false);
    expect((await first).stdout).toBe("first\n");
    expect((await third).stdout).toBe("begun\n");
  });

  test("P21: calls on one session run one after the other, on two sessions side by side", async () => {
    const terminal = openTerminal();
    const step = (name: string) => `echo start ${name} >>log; sleep 0.4; echo end ${name} >>log`;
    await Promise.all([terminal.run({ command: step("a") }), terminal.run({ command: step("b") })]);
    const log = () => readFileSync(join(terminal.root, "log"), "utf8").trim().split("\n");
    expect(log()).toEqual(["start a", "end a", "start b", "end b"]);
    const meet = (mine: string, other: string) =>
      `touch ${mine}; for i in $(seq 100); do [ -e ${other} ] && echo met && break; sleep 0.05; done`;
    const both = await Promise.all([
      terminal.run({ command: meet("one", "two"), session_id: "one" }),
      terminal.run({ command: meet("two", "one"), session_id: "two" }),
    ]);
    expect(both.map((result) => result.stdout)).toEqual(["met\n", "met\n"]);
  });

  test("P22: the user's terminal and the agent's have nothing in common", async () => {
    const user = openTerminal();
    const other = new Terminal({
      root: user.root,
      stateDirectory: user.state,
      environment: { PATH: process.env.PATH ?? "" },
    });
    await user.run({ command: "cd /usr; export WHOSE=user" });
    expect((await other.run({ command: "pwd; echo [$WHOSE]" })).stdout).toBe(`${user.root}\n[]\n`);
    await other.close();
    expect((await user.run({ command: "pwd; echo [$WHOSE]" })).stdout).toBe("/usr\n[user]\n");
  });

  test("P25: a thousand commands leave no file and no handle behind", async () => {
    const terminal = openTerminal();
    const handles = () => readdirSync("/proc/self/fd").length;
    const files = () => readdirSync(join(terminal.state, readdirSync(terminal.state)[0] ?? "")).length;
    await terminal.run({ command: "true" });
    const before = { handles: handles(), files: files() };
    for (let count = 0; count < 1000; count++) await terminal.run({ command: "true" });
    expect({ handles: handles(), files: files() }).toEqual(before);
    await terminal.close();
    expect(readdirSync(terminal.state)).toEqual([]);
  });

  test("a session that dies twenty times leaves no handle behind", async () => {
    const terminal = openTerminal();
    const handles = () => readdirSync("/proc/self/fd").length;
    await terminal.run({ command: "exit 1" });
    const before = handles();
    for (let count = 0; count < 20; count++) await terminal.run({ command: "exit 1" });
    await until(() => handles() <= before, "the handles are closed");
  });

  test.each([
    ["SIGKILL", "process.kill(process.pid, 'SIGKILL')"],
    ["an exit without close", "process.exit(0)"],
  ])("P26: after %s of the program nothing it started lives on", async (_, ending) => {
    const place = temporaryPlace();
    const seconds = uniqueSeconds();
    const program = `
      import { Terminal } from ${JSON.stringify(door)};
      const terminal = new Terminal(${JSON.stringify({ root: place.root, stateDirectory: place.state })});
      await terminal.run({ command: "(setsid sleep ${seconds} &); nohup sleep ${seconds} >/dev/null 2>&1 &" });
      await terminal.run({ command: "sleep ${seconds}", process_type: "BACKGROUND" });
      process.stdout.write("ready");
      process.stdin.once("data", () => ${ending});`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await until(() => processesWith(seconds).length === 3, "all three run");
    child.stdin.write("end\n");
    await ended;
    const next = openTerminal({ stateDirectory: place.state });
    expect((await next.run({ command: "echo next" })).stdout).toBe("next\n");
    await until(() => processesWith(seconds).length === 0, "the orphans are gone");
    expect(readdirSync(place.state)).toHaveLength(1);
  });

  test("P27: a program that cannot load the PTY module works over pipes", async () => {
    const place = temporaryPlace();
    const hook = `export function resolve(name, context, next) {
      if (name.includes("node-pty")) throw new Error("not installed");
      return next(name, context);
    }`;
    const program = `
      import { register } from "node:module";
      register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hook)}));
      const { Terminal } = await import(${JSON.stringify(door)});
      const terminal = new Terminal(${JSON.stringify({ root: place.root, stateDirectory: place.state })});
      const results = [];
      for (const command of ["cd /usr", "pwd; [ -t 1 ] || echo pipes"]) results.push(await terminal.run({ command }));
      await terminal.close();
      process.stdout.write(JSON.stringify(results.at(-1)));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect(JSON.parse(output)).toMatchObject({ stdout: "/usr\npipes\n", status: "completed", cwd: "/usr" });
  });

  test("a shell that was killed while nothing ran in it is replaced, and the next result says so", async () => {
    const terminal = openTerminal();
    const { stdout = "" } = await terminal.run({ command: "cd /usr; export KEPT=1; echo $$" });
    process.kill(Number(stdout), "SIGKILL");
    await until(() => !existsSync(`/proc/${stdout.trim()}`), "the shell is gone");
    const next = await terminal.run({ command: "pwd; echo $KEPT" });
    // The end of the shell may be known only after the command was typed; then the command itself died of it.
    const result = next.status === "died" ? await terminal.run({ command: "pwd; echo $KEPT" }) : next;
    expect(next.message).toMatch(/The shell (had )?ended/);
    expect(result.stdout).toBe("/usr\n1\n");
  });

  test("a living program's terminal is no orphan for the next one", async () => {
    const terminal = openTerminal();
    const seconds = uniqueSeconds();
    await terminal.run({ command: `sleep ${seconds} &` });
    const other = openTerminal({ stateDirectory: terminal.state });
    await other.run({ command: "true" });
    expect(processesWith(seconds)).toHaveLength(1);
    expect((await terminal.run({ command: "echo alive" })).stdout).toBe("alive\n");
  });

  test("close ends everything, and later calls are refused", async () => {
    const terminal = openTerminal();
    const seconds = uniqueSeconds();
    const waiting = terminal.run({ command: `sleep ${seconds}` });
    await until(() => processesWith(seconds).length === 1, "it runs");
    await terminal.close();
    expect(await waiting).toMatchObject({ status: "died" });
    expect(processesWith(seconds)).toEqual([]);
    expect(await terminal.run({ command: "echo no" })).toEqual({
      command: "echo no",
      errorMessage: "The terminal is closed",
    });
  });

  test("a wrong call is an error and runs nothing", async () => {
    const terminal = openTerminal();
    expect((await terminal.run({ command: "echo a", input: "b" })).errorMessage).toContain("only one of");
    expect((await terminal.run({ input: "x" }, agent)).errorMessage).toBe("Nothing is running in session main");
    expect((await terminal.run({ command_signal: "CTRL_D" }, agent)).errorMessage).toContain("Nothing is running");
    expect(await terminal.readScreen("other")).toBeUndefined();
    expect(await openTerminal({ shell: "no-such-shell" }).run({ command: "echo a" })).toMatchObject({
      errorMessage: expect.stringContaining("no-such-shell"),
    });
  });

  test("raw output is told while the command runs", async () => {
    const terminal = openTerminal();
    let heard = "";
    const run = terminal.run(
      { command: "printf '\\033[1mone'; sleep 30" },
      { ...agent, onOutput: (text) => (heard += text) },
    );
    await until(() => heard === "\x1b[1mone", "the output is told");
    await terminal.kill();
    expect(await run).toMatchObject({ status: "died", stdout: "one" });
  });
});

describe("background processes", () => {
  test("a background process starts in the session's state and tells only what is new", async () => {
    const terminal = openTerminal();
    mkdirSync(join(terminal.root, "sub"));
    await terminal.run({ command: "cd sub; export GREETING='good day'" });
    const command = 'pwd; echo "$GREETING"; until [ -e go ]; do sleep 0.05; done; echo second; exit 3';
    const started = await terminal.run({ command, process_type: "BACKGROUND" });
    expect(started).toMatchObject({ command, processId: expect.any(Number), backgroundProcessStatus: "running" });
    let output = "";
    await until(() => {
      output += terminal.background.updates()[0]?.newOutput ?? "";
      return output.endsWith("good day\n");
    }, "the first output is told");
    expect(output).toBe(`${join(terminal.root, "sub")}\ngood day\n`);
    await terminal.run({ command: "touch go" });
    await until(() => terminal.background.list()[0]?.status !== "running", "it has ended");
    expect(terminal.background.updates()).toEqual([
      {
        processId: started.processId,
        command,
        cwd: join(terminal.root, "sub"),
        status: "error",
        exitCode: 3,
        newOutput: "second\n",
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
      },
    ]);
    expect(terminal.background.updates()).toEqual([]);
  });

  test("stop ends a background process with all its children", async () => {
    const terminal = openTerminal();
    const seconds = uniqueSeconds();
    const started = await terminal.run({
      command: `setsid sleep ${seconds} & sleep ${seconds}`,
      process_type: "BACKGROUND",
    });
    await until(() => processesWith(seconds).length === 2, "both run");
    expect(await terminal.background.stop(started.processId ?? 0)).toBe(true);
    expect(processesWith(seconds)).toEqual([]);
    expect(await terminal.background.stop(1)).toBe(false);
    expect(terminal.background.updates()).toMatchObject([{ status: "error", exitCode: 143 }]);
  });

  test("a long update keeps its end, and the 65th process is refused", async () => {
    const terminal = openTerminal();
    await terminal.run({ command: "seq 1 100000; sleep 100", process_type: "BACKGROUND" });
    let output = "";
    await until(() => {
      output += terminal.background.updates()[0]?.newOutput ?? "";
      return output.endsWith("100000\n");
    }, "the flood is told");
    for (let count = 1; count < 64; count++) await terminal.run({ command: "sleep 100", process_type: "BACKGROUND" });
    const refused = await terminal.run({ command: "sleep 100", process_type: "BACKGROUND" });
    expect(refused.errorMessage).toContain("64 processes");
  });
});

describe("one-shot commands", () => {
  test("many run side by side with streams of their own and without the session's state", async () => {
    const terminal = openTerminal();
    await terminal.run({ command: "cd /usr" });
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => terminal.runOnce({ command: `pwd; echo ${i} >&2; cat; exit ${i}` })),
    );
    expect(results.map(({ stdout, stderr, exitCode }) => ({ stdout, stderr, exitCode }))).toEqual(
      Array.from({ length: 8 }, (_, i) => ({ stdout: `${terminal.root}\n`, stderr: `${i}\n`, exitCode: i })),
    );
  });

  test("a timeout and an abort end the whole tree and keep the output so far", async () => {
    const terminal = openTerminal();
    const seconds = uniqueSeconds();
    const command = `echo before; (setsid sleep ${seconds} &); sleep ${seconds}`;
    expect(await terminal.runOnce({ command, timeout_seconds: 0.5 })).toMatchObject({
      stdout: "before\n",
      exitCode: 124,
      status: "timed_out",
      timedOut: true,
    });
    expect(processesWith(seconds)).toEqual([]);
    const abort = new AbortController();
    const run = terminal.runOnce({ command }, { signal: abort.signal });
    await until(() => processesWith(seconds).length === 2, "the tree stands");
    abort.abort();
    expect(await run).toMatchObject({ stdout: "before\n", interrupted: true, exitCode: 130 });
    expect(processesWith(seconds)).toEqual([]);
  });

  test("what a one-shot command leaves running is ended with it", async () => {
    const terminal = openTerminal();
    const seconds = uniqueSeconds();
    expect(await terminal.runOnce({ command: `sleep ${seconds} & echo bg` })).toMatchObject({
      stdout: "bg\n",
      exitCode: 0,
    });
    expect(processesWith(seconds)).toEqual([]);
    expect((await terminal.runOnce({ command: "true", cwd: "nowhere" })).errorMessage).toContain("No such directory");
  });
});
