/**
 * What the daemon's model gateway adds until the first byte of an answer, beside the provider alone and a bare node:http proxy
 * in the same run: alone, beside 49 and 199 streams that go on at the pace of a model, and for 50 and 200 requests that begin
 * at the same moment, where what a request costs is what the others wait; and what an open stream takes of its memory. The log of the session is left out:
 * what it costs to write is the bench `events`. Request bodies are 60 KB, as those of coding agents.
 */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { neighbours, quietShare } from "./machine.mjs";
import { programs, removeFolder, residentMegabytes, scratchFolder, startServer } from "./processes.mjs";
import { median, percentile } from "./statistics.mjs";

const atOnce = [1, 50, 200];
/** Beyond a bare proxy at the middle of one stream. */
const mostAddedMs = 0.5;
const held = 400;

const body = Buffer.from(
  JSON.stringify({
    model: "claude-sonnet-4-5",
    max_tokens: 32_000,
    stream: true,
    tools: [{ name: "task", input_schema: { properties: { model: { type: "string" } } } }],
    messages: Array.from({ length: 60 }, (_, n) => ({
      role: n % 2 ? "assistant" : "user",
      content: `${n} words `.repeat(110),
    })),
  }),
);

export async function run({ report, say, rounds }) {
  const isBusy = (await neighbours()) > quietShare;
  const folder = await scratchFolder();
  const provider = await startServer([programs.modelProvider]);
  const address = `http://127.0.0.1:${provider.port}`;
  const proxy = await startServer([programs.plainProxy, address]);
  const gateway = await startServer([programs.modelGateway, address, folder]);
  const key = gateway.said.match(/key (\S+)/)[1];
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * held });
  const ask = (port, headers = {}) => stream(agent, port, { "x-api-key": key, ...headers });
  const ways = {
    direct: (headers) => ask(provider.port, headers),
    bare: (headers) => ask(proxy.port, headers),
    gateway: (headers) => ask(gateway.port, headers),
  };
  const texts = new Set();
  for (const way of Object.values(ways)) texts.add((await way()).text);
  if (texts.size !== 1) throw new Error("The stream was changed on its way");

  for (const count of atOnce.slice(1)) {
    const times = await measureBeside(ways, count - 1, rounds(60));
    tell(count, times, { report, say, isBusy, isBeside: true });
  }
  for (const count of atOnce) {
    const times = await measure(ways, count, { warm: count === 1 ? 200 : 5, rounds: rounds(count === 1 ? 600 : 25) });
    tell(count, times, { report, say, isBusy });
  }
  agent.destroy();
  await Promise.all([proxy, gateway].map((one) => one.stop()));
  await tellMemory(address, folder, report);
  await provider.stop();
  await removeFolder(folder);
}

/** One request after the other beside streams that go on the same way; the ways in turn, three times. */
async function measureBeside(ways, beside, rounds) {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let turn = 0; turn < 3; turn++) {
    for (const [name, way] of Object.entries(ways)) {
      const others = [];
      for (let n = 0; n < beside; n++) others.push(await way({ "x-pace": "1" }));
      for (let n = 0; n < 10 + rounds; n++) {
        const { firstMs } = await way();
        if (n >= 10) times[name].push(firstMs);
      }
      for (const { close } of others) close();
    }
  }
  return times;
}

/** All ways in turn, in an order that moves, so that a busy second of the machine falls on all of them. */
async function measure(ways, count, { warm, rounds }) {
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < warm + rounds; round++) {
    for (const at of names.keys()) {
      const name = names[(at + round) % names.length];
      const answers = await Promise.all(Array.from({ length: count }, () => ways[name]()));
      if (round >= warm) times[name].push(...answers.map(({ firstMs }) => firstMs));
    }
  }
  return times;
}

function tell(count, { direct, bare, gateway }, { report, say, isBusy, isBeside = false }) {
  const shown = (values) => [50, 95, 99].map((percent) => percentile(values, percent).toFixed(2)).join(" / ");
  const what = isBeside ? `1 of ${count} streams that go on` : `${count} stream${count === 1 ? "" : "s at once"}`;
  say(`${what}, p50 / p95 / p99 in ms: direct ${shown(direct)}, bare ${shown(bare)}, gateway ${shown(gateway)}`);
  const added = median(gateway) - median(bare);
  const isOk = added <= mostAddedMs;
  report({
    name: `first byte, ${what}, p50`,
    value: median(gateway),
    unit: "ms",
    baseline: median(bare),
    baselineIs: "a bare node:http proxy",
    note: `direct ${median(direct).toFixed(2)} ms; p99 ${percentile(gateway, 99).toFixed(1)} (bare ${percentile(bare, 99).toFixed(1)})`,
    ...((count === 1 || isBeside) && {
      budget: `+${mostAddedMs} ms (+${added.toFixed(2)})`,
      ok: isOk ? true : isBusy ? undefined : false,
    }),
  });
}

/** Streams that stay open, in processes that have grown for nothing else: what each takes in the one that forwards it. */
async function tellMemory(address, folder, report) {
  const taken = async (args) => {
    const { pid, port, said, stop } = await startServer(args);
    const key = said.match(/key (\S+)/)?.[1] ?? "none";
    const agent = new Agent({ keepAlive: true, maxSockets: 2 * held });
    const hold = async (count) => {
      for (let n = 0; n < count; n += 20) {
        await Promise.all(Array.from({ length: 20 }, () => stream(agent, port, { "x-api-key": key, "x-hold": "1" })));
      }
    };
    await hold(100);
    const before = await residentMegabytes(pid);
    await hold(held);
    const kilobytes = ((await residentMegabytes(pid)) - before) * 1024;
    agent.destroy();
    await stop();
    return kilobytes / held;
  };
  const baseline = await taken([programs.plainProxy, address]);
  const value = await taken([programs.modelGateway, address, folder]);
  const note = `resident memory of streams 101 to ${100 + held}, bodies of 60 KB behind them`;
  report({ name: "memory per open stream", value, unit: "KB", baseline, baselineIs: "a bare proxy", note });
}

/** Resolves at the end of the answer, or for one that is held at its first byte. */
async function stream(agent, port, headers = {}) {
  const started = performance.now();
  const sent = { ...headers, "content-type": "application/json", "content-length": body.length };
  const call = request({ host: "127.0.0.1", port, path: "/v1/messages", method: "POST", agent, headers: sent });
  call.end(body);
  const [answer] = await once(call, "response");
  if (answer.statusCode !== 200) throw new Error(`The answer is ${answer.statusCode}`);
  let firstMs;
  let text = "";
  answer.on("data", (bytes) => {
    firstMs ??= performance.now() - started;
    text += bytes;
  });
  const isHeld = headers["x-hold"] !== undefined || headers["x-pace"] !== undefined;
  await once(answer, isHeld ? "data" : "end");
  return { firstMs, text, close: () => call.destroy() };
}
