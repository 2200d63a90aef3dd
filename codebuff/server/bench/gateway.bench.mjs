/** What the gateway adds until the first word, beside the provider alone in the same run. Loads the build. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { neighbours, quietShare } from "../../../bench/machine.mjs";
import { median, percentile } from "../../../bench/statistics.mjs";
import { openDatabase } from "../dist/database/open.js";
import { createSession } from "../dist/people/sessions.js";
import { createUser } from "../dist/people/users.js";
import { Children } from "./children.mjs";
import { startPostgres } from "./postgres.mjs";
import { chat, plainFrames, stream } from "./stream.mjs";

const program = fileURLToPath(new URL("../bin/codebuff-server.mjs", import.meta.url));
const provider = fileURLToPath(new URL("./provider.mjs", import.meta.url));
const many = 200;
const accounts = 50;
const budgets = { one: 5, many: 60 };

/** Calls `report({ name, value, unit, baseline, budget, ok })` once per line. */
export async function run(report) {
  const folder = mkdtempSync(join(tmpdir(), "codebuff-bench-"));
  const children = new Children(folder);
  const postgres = await startPostgres();
  try {
    const isBusy = (await neighbours()) > quietShare;
    const syncMs = timeSync(join(folder, "sync"));
    report({ name: "gateway: a synced write on this disk, p50", value: syncMs, unit: "ms" });
    const [, providerUrl] = await children.start([provider], /provider (\S+)/);
    const databases = { SQLite: `sqlite:${join(folder, "codebuff.db")}`, PostgreSQL: await postgres?.create() };
    for (const [title, url] of Object.entries(databases)) {
      if (url === undefined) continue;
      await measure(title, { url, providerUrl, children, isBusy, report });
    }
  } finally {
    await children.stop();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(title, { url, providerUrl, children, isBusy, report }) {
  const env = {
    DATABASE_URL: url,
    OPENROUTER_API_KEY: "sk-or-bench",
    OPENROUTER_BASE_URL: providerUrl,
    LOG_LEVEL: "error",
  };
  const keys = await makeAccounts(url);
  const [child, serverUrl] = await children.start([program, "serve", "--port", "0"], /Codebuff server: (\S+)\n/, env);
  const agent = new Agent({ keepAlive: true, maxSockets: many });
  try {
    const people = [];
    for (const key of keys) {
      const start = { agent, key, body: { action: "START", agentId: "base2" } };
      const { runId } = JSON.parse((await stream(`${serverUrl}/api/v1/agent-runs`, start)).text);
      people.push({ key, runId });
    }
    let turn = 0;
    const ways = {
      direct: () => stream(`${providerUrl}/v1/chat/completions`, { agent, key: "none", body: chat() }),
      through: () => {
        const { key, runId } = people[turn++ % people.length];
        return stream(`${serverUrl}/api/v1/chat/completions`, { agent, key, body: chat(runId) });
      },
    };
    if (plainFrames((await ways.direct()).text) !== plainFrames((await ways.through()).text)) {
      throw new Error("The gateway changed the stream");
    }
    const tell = teller(report, title, isBusy);
    const one = await rounds(ways, { pid: child.pid, atOnce: 1, warm: 40, count: 150 });
    tell("1 stream", one, budgets.one);
    const burst = await rounds(ways, { pid: child.pid, atOnce: many, warm: 4, count: 9 });
    tell(`${many} streams at once`, burst, budgets.many);
  } finally {
    agent.destroy();
    await children.end(child);
  }
}

/** As many people as the test of the ledger under fire has; each has credits for every round. */
async function makeAccounts(url) {
  const database = await openDatabase(url);
  try {
    const keys = [];
    for (let n = 0; n < accounts; n++) {
      const person = { email: `${n}@example.com`, credits: 1_000_000, freeCreditsPerMonth: 0, at: Date.now() };
      const { id: userId } = await createUser(database, person);
      const { secret } = await createSession(database.db, { userId, kind: "pat", name: "bench", at: Date.now() });
      keys.push(secret);
    }
    return keys;
  } finally {
    await database.close();
  }
}

/** Both ways in turn, so that a busy second of the machine falls on both. What is told is the middle round. */
async function rounds(ways, { pid, atOnce, warm, count }) {
  const times = { direct: [], through: [] };
  let cpuMs = 0;
  for (let round = 0; round < warm + count; round++) {
    for (const [way, ask] of Object.entries(ways)) {
      const before = cpuOf(pid);
      const answers = await Promise.all(Array.from({ length: atOnce }, ask));
      if (round < warm) continue;
      if (way === "through") cpuMs += cpuOf(pid) - before;
      times[way].push(median(answers.map(({ firstMs }) => firstMs)));
    }
  }
  return { times, cpuMs: cpuMs / (count * atOnce) };
}

function teller(report, title, isBusy) {
  return (name, { times, cpuMs }, budget) => {
    const added = times.through.map((ms, round) => ms - times.direct[round]);
    const line = { unit: "ms", baselineIs: "the provider alone" };
    report({
      ...line,
      name: `gateway, ${title}: first word, ${name}, p50`,
      value: median(times.through),
      baseline: median(times.direct),
      budget: `+${budget} ms (+${median(added).toFixed(1)})`,
      ok: median(added) <= budget ? true : isBusy ? undefined : false,
    });
    report({
      ...line,
      name: `gateway, ${title}: first word, ${name}, p90 of rounds`,
      value: percentile(times.through, 90),
      baseline: percentile(times.direct, 90),
    });
    report({ name: `gateway, ${title}: server CPU per request, ${name}`, value: cpuMs, unit: "ms" });
  };
}

/** Milliseconds of CPU that a process has used, by all its threads. The clock of /proc ticks every 10 ms. */
function cpuOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

function timeSync(path) {
  const file = openSync(path, "w");
  const bytes = Buffer.alloc(4096);
  const times = Array.from({ length: 50 }, () => {
    const began = performance.now();
    writeSync(file, bytes, 0, bytes.length, 0);
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return median(times);
}
