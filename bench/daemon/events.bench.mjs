/** How fast an agent's output reaches a reader, end to end, with the default durability. */
import { startDaemon, turnEnded } from "../daemon.mjs";
import { asText, neighbours, quietShare } from "../machine.mjs";
import { cpuSeconds } from "../processes.mjs";
import { openReaders } from "../readers.mjs";
import { startRelay, turnShut } from "../relay.mjs";
import { median } from "../statistics.mjs";

const warmUp = 50_000;
const leastRatio = 0.7;
const mostMicros = 4.8;
const leastRate = 60_000;

export async function run({ report, say, rounds, scale, profile }) {
  const events = scale(200_000);
  const daemon = await startDaemon({ profile });
  const relay = await startRelay();
  await daemon.create("burst");
  await relay.startAgent();
  const ours = (count) => throughDaemon(daemon, count);
  const bare = (count) => throughRelay(relay, count);
  say(`warm-up, ${warmUp} events each`);
  await bare(warmUp);
  await ours(warmUp);
  const pairs = [];
  const busy = [];
  for (let round = 1; round <= rounds(9); round++) {
    busy.push(await neighbours());
    const pair = { bare: await bare(events), ours: await ours(events) };
    pairs.push(pair);
    say(`${events} events, ${round} of ${rounds(9)}: ${rate(pair.ours.rate)}, relay ${rate(pair.bare.rate)}`);
  }
  const value = median(pairs.map((pair) => pair.ours.rate));
  const ratio = median(pairs.map((pair) => pair.ours.rate / pair.bare.rate));
  const baselineIs = "bare relay with the same agent: lines → JSON.parse → JSON.stringify → one response, no log";
  report({
    name: "agent → SSE, one reader, durability batch",
    value,
    unit: "events/s",
    baseline: median(pairs.map((pair) => pair.bare.rate)),
    baselineIs,
    ratio,
    budget: `≥ ${leastRatio} × relay`,
    ok: ratio >= leastRatio,
    note: "ratio: the median of the ratios of the rounds, in each of which one runs right after the other",
  });
  const micros = median(pairs.map((pair) => pair.ours.micros));
  report({
    name: "… CPU per event",
    value: micros,
    unit: "µs",
    budget: `≤ ${mostMicros}`,
    ok: micros <= mostMicros,
    baseline: median(pairs.map((pair) => pair.bare.micros)),
    baselineIs,
    note: "of the daemon's process alone; says the same on a busy machine",
  });
  const share = median(busy);
  const isQuiet = share <= quietShare;
  const ok = value >= leastRate;
  report({
    name: "agent → SSE, when the machine is quiet",
    value,
    unit: "events/s",
    budget: `≥ ${leastRate.toLocaleString("en")}`,
    ok: ok || isQuiet ? ok : undefined,
    note: `${isQuiet ? "quiet" : "not quiet, so a rate below the budget decides nothing"}: ${asText(share)}`,
  });
  await Promise.all([daemon.stop(), relay.stop()]);
}

async function throughDaemon(daemon, count) {
  const path = await daemon.streamPath("burst");
  const readers = await openReaders({ port: daemon.port, path, until: turnEnded });
  return measure(readers, daemon.pid, () => daemon.send("burst", `burst ${count}`));
}

async function throughRelay(relay, count) {
  const readers = await openReaders({ port: relay.port, path: "/stream", until: turnShut });
  return measure(readers, relay.pid, () => relay.prompt(`burst ${count}`));
}

async function measure(readers, pid, send) {
  const cpu = await cpuSeconds(pid);
  const started = performance.now();
  await send();
  const { frames } = await readers.done;
  const seconds = (performance.now() - started) / 1_000;
  const micros = (((await cpuSeconds(pid)) - cpu) / frames) * 1_000_000;
  await readers.close();
  return { rate: frames / seconds, micros };
}

function rate(value) {
  return `${Math.round(value).toLocaleString("en")}/s`;
}
