/** Every process and folder of a run, so that all of them are gone afterwards, also after a failure or Ctrl-C. */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Whole names, so that a search for unused files finds their use. */
export const programs = {
  acpAgent: fileURLToPath(new URL("./programs/acp-agent.mjs", import.meta.url)),
  bareRelay: fileURLToPath(new URL("./programs/bare-relay.mjs", import.meta.url)),
  bareServer: fileURLToPath(new URL("./programs/bare-server.mjs", import.meta.url)),
  clientImport: fileURLToPath(new URL("./programs/client-import.mjs", import.meta.url)),
  clientReader: fileURLToPath(new URL("./programs/client-reader.mjs", import.meta.url)),
  imports: fileURLToPath(new URL("./programs/imports.mjs", import.meta.url)),
  manyToolsAgent: fileURLToPath(new URL("./programs/many-tools-agent.mjs", import.meta.url)),
  modelGateway: fileURLToPath(new URL("./programs/model-gateway.mjs", import.meta.url)),
  modelProvider: fileURLToPath(new URL("./programs/model-provider.mjs", import.meta.url)),
  plantedLoss: fileURLToPath(new URL("./programs/planted-loss.cjs", import.meta.url)),
  plainProxy: fileURLToPath(new URL("./programs/plain-proxy.mjs", import.meta.url)),
  reader: fileURLToPath(new URL("./programs/reader.mjs", import.meta.url)),
  timedAgent: fileURLToPath(new URL("./programs/timed-agent.mjs", import.meta.url)),
};
const startMs = 60_000;
const stopMs = 10_000;
const running = new Set();
const folders = new Set();
let isLeaving = false;

/**
 * Starts a program that prints `listens on http://127.0.0.1:<port>` and waits for that line.
 * @param {string[]} args of node
 * @param {NodeJS.ProcessEnv} env
 * @param {string} command if it is not a program for Node
 */
export async function startServer(args, env = process.env, command = process.execPath) {
  mustStay();
  const started = performance.now();
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  own(child);
  const { port, said } = await listening(child, args.join(" "));
  return { pid: child.pid, port, said, started, stop: () => stop(child) };
}

/** Starts a program that is spoken to by messages. */
export function startProgram(path) {
  mustStay();
  const child = fork(path, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  own(child);
  return child;
}

export async function scratchFolder() {
  const folder = await mkdtemp(join(tmpdir(), "muster-bench-"));
  folders.add(folder);
  return folder;
}

export async function removeFolder(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await exited;
  clearTimeout(impatient);
}

/** The same for a run that is broken off: nothing is started any more. */
export async function leave() {
  isLeaving = true;
  await stopEverything();
}

export async function stopEverything() {
  await Promise.all([...running].map(stop));
  await Promise.all([...folders].map(removeFolder));
}

/** What is left when nobody can wait any more. */
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Seconds of CPU of all threads of a process, its children left out. The scheduler counts in nanoseconds for each thread, where
 * the kernel was built to tell; else in steps of 10 ms.
 */
export async function cpuSeconds(pid) {
  const threads = await readdir(`/proc/${pid}/task`);
  const told = await Promise.all(
    threads.map((id) => readFile(`/proc/${pid}/task/${id}/schedstat`, "utf8").catch(() => "")),
  );
  const nanoseconds = told.reduce((sum, text) => sum + Number(text.split(" ")[0]), 0);
  if (nanoseconds > 0) return nanoseconds / 1e9;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function residentMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

function mustStay() {
  if (isLeaving) throw new Error("The run was broken off");
}

/** A process that was started elsewhere and is ended with the run. */
export function adopt(child) {
  mustStay();
  own(child);
  return child;
}

function own(child) {
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.on("error", () => running.delete(child));
}

function listening(child, name) {
  let said = "";
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    const fail = (how) => reject(new Error(`${name} ${how}\n${complaint}`));
    child.stdout.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-2_000);
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve({ port: Number(port), said });
    });
    child.once("error", reject);
    child.once("close", (code, signal) => fail(`ended with ${signal ?? code} before it listened`));
    setTimeout(() => fail(`did not listen within ${startMs} ms`), startMs).unref();
  });
}
