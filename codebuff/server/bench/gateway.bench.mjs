/**
 * What the gateway adds until the first word, beside the provider alone and a bare proxy in the same run: all of them, the
 * provider and this client share the machine, so the bare proxy says what is left to win. Loads the build.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { neighbours, quietShare } from "../../../bench/machine.mjs";
import { cpuSeconds, stop } from "../../../bench/processes.mjs";
import { median, percentile } from "../../../bench/statistics.mjs";
import { startChild } from "./children.mjs";
import { startPostgres } from "./postgres.mjs";
import { startGateway } from "./server.mjs";
import { chat, plainFrames, stream } from "./stream.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const provider = fileURLToPath(new URL("./provider.mjs", import.meta.url));
const bareProxy = fileURLToPath(new URL("./bare-proxy.mjs", import.meta.url));
const many = 200;
const budgets = { one: 5, many: 60 };

/** Calls `report({ name, value, unit, baseline, budget, ok })` once per line. */
export async function run(report) {
  const home = mkdtempSync(join(tmpdir(), "codebuff-bench-"));
  const postgres = await startPostgres();
  const children = [];
  try {
    const isBusy = (await neighbours()) > quietShare;
    const syncMs = timeSync(join(home, "sync"));
    report({ name: "gateway: a synced write on this disk, p50", value: syncMs, unit: "ms" });
    const [upstream, providerUrl] = await startChild([provider], { home, pattern: /provider (\S+)/ });
    children.push(upstream);
    const args = [bareProxy, `${providerUrl}/v1/chat/completions`];
    const [proxy, proxyUrl] = await startChild(args, { home, pattern: /bare proxy (\S+)/ });
    children.push(proxy);
    const databases = { SQLite: `sqlite:${join(home, "codebuff.db")}`, PostgreSQL: await postgres?.create() };
    for (const [title, url] of Object.entries(databases)) {
      if (url === undefined) continue;
      await measure(title, { url, providerUrl, proxy: { pid: proxy.pid, url: proxyUrl }, home, isBusy, report });
    }
  } finally {
    await Promise.all(children.map(stop));
    await postgres?.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(title, { url, providerUrl, proxy, home, isBusy, report }) {
  const agent = new Agent({ keepAlive: true, maxSockets: many });
  const gateway = await startGateway({ root, databaseUrl: url, providerUrl, home, agent });
  try {
    const ways = {
      direct: () => stream(`${providerUrl}/v1/chat/completions`, { agent, key: "none", body: chat() }),
      bare: () => stream(proxy.url, { agent, key: "none", body: chat() }),
      through: () => gateway.ask(),
    };
    if (plainFrames((await ways.direct()).text) !== plainFrames((await ways.through()).text)) {
      throw new Error("The gateway changed the stream");
    }
    const tell = teller(report, title, isBusy);
    const pids = { bare: proxy.pid, through: gateway.pid };
    const one = await rounds(ways, { pids, atOnce: 1, warm: 40, count: 150 });
    tell("1 stream", one, budgets.one);
    const burst = await rounds(ways, { pids, atOnce: many, warm: 6, count: 11 });
    tell(`${many} streams at once`, burst, budgets.many);
  } finally {
    agent.destroy();
    await gateway.stop();
  }
}

/** All ways in turn, so that a busy second of the machine falls on all. What is told is the middle round. */
async function rounds(ways, { pids, atOnce, warm, count }) {
  const times = { direct: [], bare: [], through: [] };
  const cpuMs = { bare: 0, through: 0 };
  for (let round = 0; round < warm + count; round++) {
    for (const [way, ask] of Object.entries(ways)) {
      const before = pids[way] && (await cpuSeconds(pids[way]));
      const answers = await Promise.all(Array.from({ length: atOnce }, ask));
      if (round < warm) continue;
      if (pids[way]) cpuMs[way] += ((await cpuSeconds(pids[way])) - before) * 1000;
      times[way].push(median(answers.map(({ firstMs }) => firstMs)));
    }
  }
  const per = count * atOnce;
  return { times, cpuMs: { bare: cpuMs.bare / per, through: cpuMs.through / per } };
}

function teller(report, title, isBusy) {
  return (name, { times, cpuMs }, budget) => {
    const addedBy = (way) => median(times[way].map((ms, round) => ms - times.direct[round]));
    const line = { unit: "ms", baselineIs: "the provider alone" };
    report({
      ...line,
      name: `gateway, ${title}: first word, ${name}, p50`,
      value: median(times.through),
      baseline: median(times.direct),
      budget: `+${budget} ms (+${addedBy("through").toFixed(1)}; a bare proxy +${addedBy("bare").toFixed(1)})`,
      ok: addedBy("through") <= budget ? true : isBusy ? undefined : false,
    });
    report({
      ...line,
      name: `gateway, ${title}: first word, ${name}, p90 of rounds`,
      value: percentile(times.through, 90),
      baseline: percentile(times.direct, 90),
    });
    report({
      name: `gateway, ${title}: server CPU per request, ${name}`,
      value: cpuMs.through,
      baseline: cpuMs.bare,
      baselineIs: "a bare proxy",
      unit: "ms",
    });
  };
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
