import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong, random, seed } from "@muster/chaos";
import { isProcessAlive, readProcessTableNow } from "@muster/node";
import type { Process, ProcessChunk } from "@muster/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { get, post } from "./daemon-calls.ts";
import { cutReader, printer } from "./process-readers.ts";

let home: DaemonHome;

beforeAll(async () => {
  home = await DaemonHome.make();
});
afterAll(async () => {
  await home.remove();
});

it("bytes read from a process are what tee wrote, though its daemon was killed in the middle", async () => {
  const kills = isLong ? 20 : 3;
  const bytes = (isLong ? 256 : 24) * 1024 * 1024;
  let daemon = await home.start();
  const tee = join(home.path, "tee");
  const program = join(home.path, "printer.cjs");
  await writeFile(program, printer);
  const command = `'${process.execPath}' -e "$(cat '${program}')" ${bytes} '${home.path}/sum' | tee '${tee}'`;
  await post(daemon, "/processes/writer", { command: "sh", args: ["-c", command] });
  const next = random(seed);
  const reading = cutReader(() => daemon.api.baseUrl, { processId: "writer", random: next }).read();
  for (let kill = 1; kill <= kills; kill++) {
    // Somewhere in the middle, and each time a little further.
    const wanted = (bytes * kill) / (kills + 2);
    while ((await stat(tee).catch(() => ({ size: 0 }))).size < wanted) await sleep(5);
    await daemon.kill("SIGKILL");
    daemon = await home.start();
  }
  const read = await reading;
  const digest = createHash("sha256");
  await once(
    createReadStream(tee).on("data", (piece) => digest.update(piece)),
    "close",
  );
  expect(read.bytes).toBe((await stat(tee)).size);
  expect(read.stdout).toBe(digest.digest("hex"));
  const ended: Process = await get(daemon, "/processes/writer");
  expect(ended).toMatchObject({
    state: "ended",
    adopted: kills,
    end: { reason: "exited", exitCode: 0, outputBytes: bytes },
  });
  const marks = read.chunks.filter(({ type }) => type === "adopted");
  // A reader that comes back is told again what stands exactly where it goes on.
  expect(new Set(marks.map(({ sequence }) => sequence)).size).toBe(kills);
  await daemon.kill("SIGTERM");
});

it("a process that ends while no daemon lives has its whole output and its exit code at the next", async () => {
  let daemon = await home.start();
  const go = join(home.path, "go");
  const script = `echo before; while [ ! -e '${go}' ]; do sleep 0.01; done; echo after; echo wrong >&2; exit 7`;
  const { pid = 0 }: Process = await post(daemon, "/processes/alone", { command: "sh", args: ["-c", script] });
  await daemon.kill("SIGKILL");
  await writeFile(go, "");
  while (isProcessAlive(pid, undefined)) await sleep(5);
  daemon = await home.start();
  const ended: Process = await get(daemon, "/processes/alone/wait");
  expect(ended).toMatchObject({ state: "ended", adopted: 1, end: { reason: "exited", exitCode: 7, outputBytes: 19 } });
  const { chunks }: { chunks: ProcessChunk[] } = await get(daemon, "/processes/alone/logs?text");
  const textOf = (stream: string) =>
    chunks.flatMap((chunk) => (chunk.type === "output" && chunk.stream === stream ? [chunk.text] : [])).join("");
  expect([textOf("stdout"), textOf("stderr")]).toEqual(["before\nafter\n", "wrong\n"]);
  expect(chunks.at(-1)).toMatchObject({ type: "ended", exitCode: 7, offset: 19 });
  await daemon.kill("SIGTERM");
});

it("a process whose keeper is killed is ended with all it started, and that is told", async () => {
  const daemon = await home.start();
  const { pid = 0 }: Process = await post(daemon, "/processes/held", {
    command: "sh",
    args: ["-c", "sleep 1000 & setsid sleep 1000 & echo ready; wait"],
  });
  await untilText(daemon, "held", "ready");
  const members = home.agents();
  const keeper = members.find((one) => one !== pid && parentOf(pid) === one) ?? Number.NaN;
  process.kill(keeper, "SIGKILL");
  const ended: Process = await get(daemon, "/processes/held/wait");
  expect(ended).toMatchObject({ state: "ended", end: { reason: "lost", exitCode: null } });
  expect(members.filter((one) => isProcessAlive(one, undefined))).toEqual([]);
  // Another keeper is started for the next.
  const again = await post<{ stdout: string }>(daemon, "/processes/run", { command: "echo", args: ["again"] });
  expect(again.stdout).toBe("again\n");
  await daemon.kill("SIGTERM");
});

it("a daemon that is stopped leaves no process behind", async () => {
  const daemon = await home.start();
  await post(daemon, "/processes/staying", {
    command: "sh",
    args: ["-c", "trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 1000' & echo ready; wait; sleep 1000"],
  });
  await untilText(daemon, "staying", "ready");
  const { code } = await daemon.kill("SIGTERM");
  expect(code).toBe(0);
  expect(home.agents()).toEqual([]);
});

async function untilText(daemon: DaemonProcess, processId: string, text: string): Promise<void> {
  for (;;) {
    const { chunks }: { chunks: ProcessChunk[] } = await get(daemon, `/processes/${processId}/logs?text`);
    if (chunks.some((chunk) => chunk.type === "output" && chunk.text?.includes(text))) return;
    await sleep(10);
  }
}

function parentOf(pid: number): number | undefined {
  return readProcessTableNow().get(pid)?.parent;
}
