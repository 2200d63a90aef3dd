/** A session on a warm Codex server against a process of `codex exec`, and what a further session costs in memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { adapters, SharedServers } from "@muster/adapters";
import { startScriptedLlm } from "@muster/scripted-llm";

const version = "0.166.0";
const rounds = 7;
const furtherSessions = 8;

export async function run(report) {
  const folder = mkdtempSync(join(tmpdir(), "muster-codex-bench-"));
  const llm = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "Hello.", times: "always" }] }] } });
  const servers = new SharedServers({ lingerMs: 60_000 });
  const bench = { folder, llm, host: hostOf(folder, servers), sessions: [] };
  try {
    const { path } = await adapters.codex.install(bench.host, { version });
    // A home of its own: every thread of Codex starts a login shell, and what a user's profile does is not ours to measure.
    const env = { PATH: process.env.PATH, HOME: folder };
    bench.host = {
      ...bench.host,
      env,
      dataDirectory: folder,
      install: { sources: { codex: [{ kind: "file", path }] } },
    };
    await timeToFirstEvent(bench, path, report);
    await memoryOfFurtherSessions(bench, report);
  } finally {
    await Promise.all(bench.sessions.map((session) => session.close({ graceMs: 1_000 })));
    await servers.close({ graceMs: 1_000 });
    await llm.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function timeToFirstEvent(bench, path, report) {
  await turn(await open(bench));
  const warm = [];
  const exec = [];
  for (let round = 0; round < rounds; round++) {
    exec.push(await firstLineOfExec(bench, path));
    const started = performance.now();
    await open(bench);
    warm.push(performance.now() - started);
  }
  const value = median(exec) / median(warm);
  report({
    name: "Codex: first event of codex exec ÷ of a new session on the warm server",
    value,
    unit: "×",
    budget: "≥ 4 ×",
    ok: value >= 4,
    note: `medians of ${rounds}: exec ${median(exec).toFixed(0)} ms, session ${median(warm).toFixed(0)} ms`,
  });
}

async function memoryOfFurtherSessions(bench, report) {
  // What all sessions share is loaded by the first turns.
  for (let turns = 0; turns < 24; turns++) await turn(bench.sessions[turns % bench.sessions.length]);
  const before = await settledMemory(bench);
  for (let session = 0; session < furtherSessions; session++) await turn(await open(bench));
  const value = ((await settledMemory(bench)) - before) / furtherSessions / 1024 / 1024;
  const budget = "< 5 MB";
  const name = "Codex: memory of a further session with one turn, on the same server";
  report({ name, value, unit: "MB", budget, ok: value < 5 });
}

async function open(bench) {
  const session = await adapters.codex.open(bench.host, {
    sessionId: `bench-${bench.sessions.length}`,
    directory: workOf(bench),
    permissionMode: "bypass",
    model: "gpt-5.5",
    baseUrl: bench.llm.url,
    token: "sk-bench",
    env: {},
    mcp: {},
    agentOptions: {},
  });
  session.finished = watch(session);
  bench.sessions.push(session);
  return session;
}

/** Reads a session to its end; `turned` is called at the end of each turn. */
async function watch(session) {
  for await (const outputs of session.events) {
    const ends = outputs.some(({ bodies }) => bodies.some(({ type }) => type === "turn.finished"));
    if (ends) session.turned?.();
  }
}

let messages = 0;

async function turn(session) {
  const ended = new Promise((resolve) => {
    session.turned = resolve;
  });
  messages++;
  await session.send({ type: "message", messageId: `m${messages}`, text: "hello", attachments: [] });
  await ended;
}

async function firstLineOfExec(bench, path) {
  const provider = `{name="Bench",base_url="${bench.llm.url}/v1",wire_api="responses",env_key="BENCH_KEY"}`;
  const settings = ["-c", 'model_provider="bench"', "-c", `model_providers.bench=${provider}`, "-m", "gpt-5.5"];
  const home = join(bench.folder, "exec-home");
  mkdirSync(home, { recursive: true });
  const started = performance.now();
  const child = spawn(path, ["exec", "--json", "--skip-git-repo-check", ...settings, "hello"], {
    cwd: workOf(bench),
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, BENCH_KEY: "sk-bench" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  const [line] = await Promise.race([once(child.stdout, "data"), exited]);
  const ms = performance.now() - started;
  if (!String(line).includes("thread.started")) throw new Error(`codex exec said ${String(line)}`);
  child.stdout.resume();
  await exited;
  return ms;
}

/** The least within two seconds: a new thread starts shells that end at once. */
async function settledMemory(bench) {
  let least = Number.POSITIVE_INFINITY;
  for (const end = Date.now() + 2_000; Date.now() < end; await sleep(50)) least = Math.min(least, serverMemory(bench));
  return least;
}

/** Of the app-server and everything below it. */
function serverMemory({ folder }) {
  const home = join(folder, "homes", "codex");
  return processes()
    .filter(({ environment }) => environment.includes(`\0CODEX_HOME=${home}\0`))
    .reduce((sum, { pid }) => sum + residentBytes(pid), 0);
}

function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ environment: `\0${readOrNothing(`/proc/${pid}/environ`)}`, pid }));
}

function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readOrNothing(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** A process may end while it is looked at, or not be ours. */
function readOrNothing(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function workOf({ folder }) {
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  return work;
}

/** Programs stay where the tests keep theirs; everything else is of this run. */
function hostOf(folder, servers) {
  const installed = process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents");
  return {
    env: process.env,
    home: folder,
    dataDirectory: join(installed, "codex"),
    livesDirectory: join(folder, "lives"),
    servers,
    redact: (text) => text,
    log: () => {},
  };
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}
