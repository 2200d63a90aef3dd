import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeHost, type TestHost } from "../../test/host.ts";
import { hasDied, isAlive } from "../../test/processes.ts";
import { AgentStartFailure } from "../adapter.ts";
import type { SpawnRecord } from "./spawn-record.ts";
import { type ProcessOptions, type SupervisedProcess, startProcess } from "./supervised-process.ts";

/** Runs JavaScript as an agent would run. */
async function run(host: TestHost, script: string, options: Partial<ProcessOptions> = {}): Promise<SupervisedProcess> {
  const started = await startProcess(host, {
    agent: "test",
    command: process.execPath,
    args: ["-e", script],
    directory: host.home,
    env: {},
    ...options,
  });
  onTestFinished(() => started.end({ graceMs: 0 }));
  return started;
}

const records = (host: TestHost) => readdirSync(host.livesDirectory);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it started"),
    (error: unknown) => error as AgentStartFailure,
  );

async function firstLine(child: SupervisedProcess): Promise<string> {
  const chunk = await new Promise<Buffer>((resolve) => child.output.read(resolve));
  return chunk.toString().trim();
}

test("a command that does not exist is spawn_failed and leaves no record", async () => {
  const host = makeHost();
  const error = await failure(run(host, "", { command: "/does/not/exist" }));
  expect(error).toBeInstanceOf(AgentStartFailure);
  expect(error).toMatchObject({ type: "spawn_failed", details: { command: "/does/not/exist", code: "ENOENT" } });
  expect(records(host)).toEqual([]);
});

test("a file that cannot be run is spawn_failed and leaves no record", async () => {
  const host = makeHost();
  const command = join(host.home, "not-executable");
  writeFileSync(command, "#!/bin/sh\n");
  chmodSync(command, 0o600);
  expect(await failure(run(host, "", { command }))).toMatchObject({
    type: "spawn_failed",
    details: { code: "EACCES" },
  });
  expect(records(host)).toEqual([]);
});

test("a directory that does not exist is named", async () => {
  const host = makeHost();
  const error = await failure(run(host, "", { directory: join(host.home, "nowhere") }));
  expect(error.type).toBe("spawn_failed");
  expect(error.message).toContain("nowhere does not exist");
  expect(records(host)).toEqual([]);
});

test("an argument no process can have is spawn_failed and leaves no record", async () => {
  const host = makeHost();
  expect(await failure(run(host, "", { args: ["a\0b"] }))).toMatchObject({ type: "spawn_failed" });
  expect(records(host)).toEqual([]);
});

test("a running process has a record of itself, a dead one has none", async () => {
  const host = makeHost();
  const child = await run(host, "setInterval(() => {}, 1000)", { sessionId: "s1" });
  const record: SpawnRecord = JSON.parse(readFileSync(join(host.livesDirectory, `${child.marker}.json`), "utf8"));
  expect(record).toMatchObject({ marker: child.marker, agent: "test", sessionId: "s1", root: { pid: child.pid } });
  await child.end({ graceMs: 0 });
  expect(records(host)).toEqual([]);
  expect(await isAlive(child.pid)).toBe(false);
});

test("a process that ends at once is an exit like any other", async () => {
  const host = makeHost();
  const child = await run(host, "process.exit(3)");
  expect(await child.exited).toEqual({ exitCode: 3, signal: null });
  await child.gone;
  expect(records(host)).toEqual([]);
});

test("a child gets the allow-list, not the daemon's secrets", async () => {
  const host = makeHost({ env: { PATH: process.env.PATH, SECRET_KEY: "x" } });
  const child = await run(host, "console.log(JSON.stringify(process.env))", { env: { GIVEN: "1" } });
  expect(JSON.parse(await firstLine(child))).toEqual({ PATH: process.env.PATH, GIVEN: "1", MUSTER_LIFE: child.marker });
});

test("writing to a closed stdin and to a dead process is refused", async () => {
  const host = makeHost();
  const child = await run(host, "require('fs').closeSync(0); console.log('closed'); setInterval(() => {}, 1000)");
  expect(await firstLine(child)).toBe("closed");
  await expect(child.write("hello\n")).rejects.toThrow("no longer takes input");
  await child.end({ graceMs: 0 });
  await expect(child.write("hello\n")).rejects.toThrow("no longer takes input");
});

test("a write that the child never reads is refused when the child dies", async () => {
  const host = makeHost();
  const child = await run(host, "setInterval(() => {}, 1000)");
  const write = child.write("x".repeat(4 * 1024 * 1024));
  const refused = expect(write).rejects.toThrow("no longer takes input");
  await child.end({ graceMs: 0 });
  await refused;
});

test("a child that is not read stops writing", async () => {
  const host = makeHost();
  const script = `let n = 0; const more = () => { while (process.stdout.write("x".repeat(65536))) n++; };
    process.stdout.on("drain", more); more(); setTimeout(() => process.stderr.write("wrote " + n), 300);`;
  const child = await run(host, script);
  while (!child.stderr().head.startsWith("wrote")) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(Number(child.stderr().head.slice(6))).toBeLessThan(64);
});

test("what a child said before anybody listened is not lost, also when it is dead by then", async () => {
  const host = makeHost();
  const child = await run(host, "process.stdout.write('x'.repeat(50_000))");
  await child.gone;
  await new Promise((resolve) => setTimeout(resolve, 50));
  const chunks: Buffer[] = [];
  child.output.read((chunk) => chunks.push(chunk));
  expect(await child.finished()).toEqual({ exitCode: 0, signal: null });
  expect(Buffer.concat(chunks)).toHaveLength(50_000);
});

test("a child that closed its stdout is ended", async () => {
  const host = makeHost();
  const child = await run(host, "require('fs').closeSync(1); setInterval(() => {}, 1000)");
  child.output.read(() => {});
  expect(await child.finished()).toEqual({ exitCode: null, signal: "SIGTERM" });
});

test("a record that cannot be written is spawn_failed", async () => {
  const host = makeHost();
  const unwritable = { ...host, livesDirectory: "/dev/null/lives" };
  expect(await failure(run(unwritable, ""))).toMatchObject({ type: "spawn_failed" });
});

test("closing stdin is asked for before any signal is sent", async () => {
  const host = makeHost();
  const child = await run(host, "process.stdin.on('end', () => process.exit(5)).resume(); console.log('up')");
  await firstLine(child);
  await child.end({ graceMs: 60_000 });
  expect(await child.exited).toEqual({ exitCode: 5, signal: null });
});

test("a process that ignores the end of stdin gets SIGTERM", async () => {
  const host = makeHost();
  const child = await run(host, "console.log('up'); setInterval(() => {}, 1000)");
  await firstLine(child);
  await child.end({ graceMs: 3_000 });
  expect(await child.exited).toEqual({ exitCode: null, signal: "SIGTERM" });
});

test("a process that ignores SIGTERM is killed", async () => {
  const host = makeHost();
  const child = await run(host, "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)");
  await firstLine(child);
  await child.end({ graceMs: 300 });
  expect(await child.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
});

test("an end without grace cuts short one that waits", async () => {
  const host = makeHost();
  const child = await run(host, "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)");
  await firstLine(child);
  const slow = child.end({ graceMs: 600_000 });
  await child.end({ graceMs: 0 });
  await slow;
  expect(await isAlive(child.pid)).toBe(false);
});

const grandchild = (options: string, env = "process.env") =>
  `const c = require('child_process').spawn('sleep', ['3600'], { ${options}, env: ${env} }); c.unref(); console.log(c.pid);`;

test("a grandchild in a session of its own is found by the marker, also when its parent has gone", async () => {
  const host = makeHost();
  const child = await run(host, grandchild("detached: true, stdio: 'ignore'"));
  const pid = Number(await firstLine(child));
  expect(await child.exited).toEqual({ exitCode: 0, signal: null });
  await child.gone;
  expect(await isAlive(pid)).toBe(false);
});

test("a grandchild without the marker is found by its descent", async () => {
  const host = makeHost();
  const env = "{ PATH: process.env.PATH }";
  const child = await run(host, `${grandchild("detached: true, stdio: 'ignore'", env)} setInterval(() => {}, 1000)`);
  const pid = Number(await firstLine(child));
  await child.end({ graceMs: 1_000 });
  await hasDied(pid);
  expect(records(host)).toEqual([]);
});

test("a process of another life is left alone", async () => {
  const host = makeHost();
  const forever = "setInterval(() => {}, 1000)";
  const [one, other] = [await run(host, forever), await run(host, forever)];
  await one.end({ graceMs: 0 });
  expect(await isAlive(other.pid)).toBe(true);
  expect(records(host)).toEqual([`${other.marker}.json`]);
});
