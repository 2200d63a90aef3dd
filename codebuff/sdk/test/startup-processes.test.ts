import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CodebuffClient } from "../src/index.ts";
import { StartupProcesses } from "../src/startup/startup-processes.ts";
import { freshFolder } from "./fresh-folder.ts";
import { isRunning } from "./is-running.ts";
import { runWorld } from "./run-world.ts";

const dev = {
  name: "dev",
  command: "echo to out; echo to err >&2; echo $$ >> started.log; sleep 1000; echo late",
  stdoutFile: "logs/out.log",
  stderrFile: "logs/err.log",
  enabled: true,
};
const turns = Array.from({ length: 4 }, () => ({ text: "done" }));
const waiting = { timeout: 30_000 };

it("runs once per project while its owner is open, with its output in files", { timeout: 60_000 }, async () => {
  const off = { ...dev, name: "off", command: "touch off.txt", enabled: false };
  const config = JSON.stringify({ startupProcesses: [dev, off] });
  const world = await runWorld(turns, { files: { "codebuff.json": config }, options: { trust: () => true } });
  await Promise.all([world.run(), world.run()]);
  const [pid = 0] = await startedIn(world.cwd, 1);
  const other = new CodebuffClient({ ...world.client.options });
  onTestFinished(() => other.close());
  await other.run({ agent: "tester", prompt: "go" });
  expect(await readFile(join(world.cwd, "logs/out.log"), "utf8")).toBe("to out\n");
  expect(await readFile(join(world.cwd, "logs/err.log"), "utf8")).toBe("to err\n");
  await other.close();
  expect([isRunning(pid), await pidsIn(world.cwd)]).toEqual([true, [pid]]);
  await world.client.close();
  expect(isRunning(pid)).toBe(false);
  await expect(readFile(join(world.cwd, "off.txt"))).rejects.toThrow("ENOENT");
  // Free again: the next program in this project starts its own.
  await other.run({ agent: "tester", prompt: "go" });
  expect(await startedIn(world.cwd, 2)).toHaveLength(2);
});

it("does not run before it was accepted, and the run says so", async () => {
  const config = JSON.stringify({ startupProcesses: [{ name: "dev", command: "touch ran.txt" }] });
  const world = await runWorld(turns, { files: { "codebuff.json": config } });
  await world.run();
  await world.client.close();
  expect(world.events).toContainEqual(expect.objectContaining({ type: "error", code: "untrusted", fatal: false }));
  await expect(readFile(join(world.cwd, "ran.txt"))).rejects.toThrow("ENOENT");
});

it("a process that cannot start or fails is a warning, and the run goes on", async () => {
  const broken = { name: "broken", command: "echo x", cwd: "nowhere" };
  const failing = { name: "failing", command: "exit 3" };
  const config = JSON.stringify({ startupProcesses: [broken, failing] });
  const world = await runWorld(turns, { files: { "codebuff.json": config }, options: { trust: () => true } });
  expect((await world.run()).output.type).toBe("lastMessage");
  const warnings = () => world.events.map((event) => (event.type === "error" ? event.message : ""));
  expect(warnings().join()).toContain("broken cannot be started");
  await expect
    .poll(async () => {
      await world.run();
      return warnings().filter((message) => message.includes("failing has ended with code 3"));
    }, waiting)
    .toHaveLength(1);
});

it("what a killed program has left running is ended at the next start", { timeout: 60_000 }, async () => {
  const [root, folder] = [await freshFolder("project"), await freshFolder("startup")];
  const program = join(root, "owner.mjs");
  const source = new URL("../dist/startup/startup-processes.js", import.meta.url).href;
  await writeFile(
    program,
    `import { StartupProcesses } from ${JSON.stringify(source)};
    const [root, folder, list] = process.argv.slice(2);
    const processes = new StartupProcesses({ root, folder, env: process.env });
    await processes.start(JSON.parse(list), console.error);
    setInterval(() => undefined, 1000);`,
  );
  const gone = { ...dev, name: "gone", command: "echo $$ >> gone.log; sleep 1000; echo late" };
  const owner = spawn(process.execPath, [program, root, folder, JSON.stringify([dev, gone])], { stdio: "inherit" });
  onTestFinished(() => void owner.kill("SIGKILL"));
  const orphans = [...(await startedIn(root, 1)), ...(await startedIn(root, 1, "gone.log"))];
  const ours = new StartupProcesses({ root, folder, env: process.env });
  onTestFinished(() => ours.close());
  const fail = (message: string) => expect.unreachable(message);
  await ours.start([dev], fail);
  expect([await pidsIn(root), orphans.map(isRunning)]).toEqual([orphans.slice(0, 1), [true, true]]);
  owner.kill("SIGKILL");
  await once(owner, "exit");
  const next = new StartupProcesses({ root, folder, env: process.env });
  onTestFinished(() => next.close());
  await next.start([dev], fail);
  await expect.poll(() => orphans.map(isRunning), waiting).toEqual([false, false]);
  const [, pid = 0] = await startedIn(root, 2);
  expect(isRunning(pid)).toBe(true);
  await next.close();
  expect(isRunning(pid)).toBe(false);
});

async function startedIn(cwd: string, count: number, file?: string): Promise<number[]> {
  await expect.poll(() => pidsIn(cwd, file).then(({ length }) => length), waiting).toBe(count);
  return pidsIn(cwd, file);
}

async function pidsIn(cwd: string, file = "started.log"): Promise<number[]> {
  const text = await readFile(join(cwd, file), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).map(Number);
}
