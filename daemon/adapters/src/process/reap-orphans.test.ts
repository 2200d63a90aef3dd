import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bootId, startTimeOf } from "@muster/node";
import { expect, onTestFinished, test } from "vitest";
import { makeHost, type TestHost } from "../../test/host.ts";
import { isAlive } from "../../test/processes.ts";
import { reapOrphans } from "./reap-orphans.ts";
import { newMarker, type SpawnRecord, writeSpawnRecord } from "./spawn-record.ts";

const crashingDaemon = fileURLToPath(new URL("../../test/crashing-daemon.mjs", import.meta.url));

/** The pids of an agent and its detached child, whose daemon has been killed. */
async function crash(host: TestHost): Promise<[agent: number, child: number]> {
  const daemon = spawn(process.execPath, [crashingDaemon, host.livesDirectory, host.home], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(daemon.stdout, "data")) as [Buffer];
  daemon.kill("SIGKILL");
  await once(daemon, "close");
  const [agent, child] = line.toString().trim().split(" ").map(Number);
  return [agent ?? 0, child ?? 0];
}

function sleeper(env: NodeJS.ProcessEnv): number {
  const child = spawn("sleep", ["3600"], { env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

test("what a killed daemon left running is dead after the next start", async () => {
  const host = makeHost();
  const [agent, child] = await crash(host);
  // Where the platform has a death signal the agent has died with its daemon; what it started has not.
  expect(await isAlive(child)).toBe(true);

  const [reaped, ...others] = await reapOrphans(host.livesDirectory, host.log);

  expect(others).toEqual([]);
  expect(reaped).toMatchObject({ agent: "test", sessionId: "s1", survives: false });
  expect(reaped?.killed).toContain(child);
  expect([await isAlive(agent), await isAlive(child)]).toEqual([false, false]);
  expect(readdirSync(host.livesDirectory)).toEqual([]);
  expect(await reapOrphans(host.livesDirectory, host.log)).toEqual([]);
});

test("a process that only has the pid of a recorded one is left alone", async () => {
  const host = makeHost();
  const pid = sleeper({});
  const record: SpawnRecord = { marker: newMarker(), agent: "test", bootId: bootId() };
  await writeSpawnRecord(host.livesDirectory, { ...record, root: { pid, startTime: "1" } });
  expect(await reapOrphans(host.livesDirectory, host.log)).toMatchObject([{ killed: [], survives: false }]);
  expect(await isAlive(pid)).toBe(true);
});

test("a process that a record names without its marker is left alone, and what carries the marker is found", async () => {
  const host = makeHost();
  const marker = newMarker();
  const [stranger, ours] = [sleeper({}), sleeper({ MUSTER_LIFE: marker })];
  const root = { pid: stranger, startTime: startTimeOf(stranger) ?? "" };
  await writeSpawnRecord(host.livesDirectory, { marker, agent: "test", bootId: bootId(), root });
  expect(await reapOrphans(host.livesDirectory, host.log)).toMatchObject([{ killed: [ours], survives: false }]);
  expect([await isAlive(stranger), await isAlive(ours)]).toEqual([true, false]);
});

test("a record from before the machine was started again names nobody", async () => {
  const host = makeHost();
  const pid = sleeper({});
  const root = { pid, startTime: (await startTimeOf(pid)) ?? "" };
  await writeSpawnRecord(host.livesDirectory, { marker: newMarker(), agent: "test", bootId: "another", root });
  expect(await reapOrphans(host.livesDirectory, host.log)).toMatchObject([{ killed: [], survives: false }]);
  expect(await isAlive(pid)).toBe(true);
  expect(readdirSync(host.livesDirectory)).toEqual([]);
});

test("a record that was cut off while it was written still finds its processes by the marker", async () => {
  const host = makeHost();
  const marker = newMarker();
  const pid = sleeper({ MUSTER_LIFE: marker });
  mkdirSync(host.livesDirectory);
  writeFileSync(join(host.livesDirectory, `${marker}.json`), '{"marker":');
  expect(await reapOrphans(host.livesDirectory, host.log)).toMatchObject([{ marker, killed: [pid] }]);
  expect(await isAlive(pid)).toBe(false);
});

test("without a directory there is nothing to reap", async () => {
  const host = makeHost();
  expect(await reapOrphans(host.livesDirectory, host.log)).toEqual([]);
});
