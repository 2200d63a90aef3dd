import { spawn as start } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConnectionFailure, SandboxDaemon } from "../src/index.ts";
import { SpawnFailure, spawn } from "../src/node/index.ts";
import { daemonCommand, type Home, makeHome, spawnIn } from "./client-world.ts";

let home: Home;
beforeEach(async () => {
  home = await makeHome();
});
afterEach(() => home.remove());

it("closing it ends the process, and its readers", async () => {
  const daemon = await spawnIn(home);
  const { pid, endpoint, token } = daemon;
  expect(await daemon.session("s1", { agent: "mock", directory: home.directory }).ask("echo hello")).toBe("hello");
  const reading = daemon.watch()[Symbol.asyncIterator]().next();
  const ended = expect(reading).rejects.toMatchObject({ name: "AbortError" });
  await daemon[Symbol.asyncDispose]();
  await ended;
  expect(isRunning(pid)).toBe(false);
  await expect(SandboxDaemon.connect({ endpoint, token }).client.health()).rejects.toThrow(ConnectionFailure);
  await expect(daemon.client.health()).rejects.toMatchObject({ name: "AbortError" });
});

it("what cannot start says why", async () => {
  await expect(spawn({ command: ["no-such-program"] })).rejects.toThrow(/no-such-program did not start: .*ENOENT/);
  await expect(spawn({ env: { PATH: home.directory } })).rejects.toThrow(/install @muster\/sandbox-daemon/);
  const wrong = { ...home, command: [...daemonCommand] as [string, ...string[]], args: ["--nonsense"] };
  await expect(spawn(wrong)).rejects.toThrow(/unknown option '--nonsense'/);
  const silent = [process.execPath, "-e", "setInterval(() => {}, 1000)"] as [string, ...string[]];
  await expect(spawn({ command: silent, startMs: 100 })).rejects.toThrow(SpawnFailure);
  const signal = AbortSignal.timeout(50);
  await expect(spawn({ command: silent, signal })).rejects.toMatchObject({ name: "TimeoutError" });
});

it.each([
  ["that forgets it", "leave"],
  ["that is killed", "stay"],
])("it ends with a program %s", async (_, how) => {
  const program = fileURLToPath(new URL("./programs/leaver.mjs", import.meta.url));
  const child = start(process.execPath, [program, how, home.dataDirectory, ...daemonCommand], { env: home.env });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(text.toString());
  expect(pid).toBeGreaterThan(0);
  if (how === "stay") child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  // Nobody else's child tells its end.
  while (isRunning(pid)) await pause(20);
});

/** A process of which only the remains wait for somebody to fetch them does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
