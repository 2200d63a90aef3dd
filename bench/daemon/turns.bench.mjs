/** A small turn: with the start of the agent, and with an agent that is there. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { startDaemon, turnEnded } from "../daemon.mjs";
import { watchStream } from "../keep-alive.mjs";
import { startRelay, turnShut } from "../relay.mjs";
import { median } from "../statistics.mjs";

const prompt = "echo a few words";
/** What a warm turn may take beside the bare relay: one sync of the disk, and our own work. */
const mostSyncs = 1.3;
const ownMs = 0.5;
const mostOwnMs = 30;

export async function run({ report, say, rounds, profile }) {
  const daemon = await startDaemon({ profile });
  const relay = await startRelay();
  const first = { ours: [], bare: [] };
  for (let round = 1; round <= rounds(10); round++) {
    say(`create and first turn, ${round} of ${rounds(10)}`);
    first.bare.push(await firstTurnOfRelay(relay));
    first.ours.push(await firstTurn(daemon, `first-${round}`));
  }
  report({
    name: "create a session + first turn",
    value: median(first.ours),
    unit: "ms",
    baseline: median(first.bare),
    baselineIs: "bare relay: spawn the same agent, prompt, last line",
  });
  const own = median(first.ours.map((ms, round) => ms - first.bare[round]));
  report({
    name: "… of that ours",
    value: own,
    unit: "ms",
    budget: `≤ ${mostOwnMs}`,
    ok: own <= mostOwnMs,
    note: "the median of the differences of the rounds; the rest is the agent's: its start, its answer, and the relay's HTTP",
  });
  say("warm turns");
  const warm = { ours: [], bare: [], sync: [] };
  const disk = await open(join(daemon.data, "sync"), "w");
  const ours = await watchStream(daemon.port, await daemon.streamPath("first-1"));
  const bare = await watchStream(relay.port, "/stream");
  for (let turn = 0; turn < rounds(100); turn++) {
    warm.bare.push(await timeOf(bare, turnShut, () => relay.prompt(prompt)));
    warm.ours.push(await timeOf(ours, turnEnded, () => daemon.send("first-1", prompt)));
    warm.sync.push(await syncTime(disk));
  }
  await disk.close();
  const [value, baseline, sync] = [median(warm.ours), median(warm.bare), median(warm.sync)];
  const most = baseline + mostSyncs * sync + ownMs;
  report({
    name: "warm turn: POST message → turn.ended on SSE",
    value,
    unit: "ms",
    baseline,
    baselineIs: "bare relay, nothing written to disk",
    budget: `≤ ${most.toFixed(2)}`,
    ok: value <= most,
    note: `budget: the relay + ${mostSyncs} × fdatasync (${sync.toFixed(2)} ms in this run) + ${ownMs} ms; one sync: accepted and given`,
  });
  for (const stream of [ours, bare]) stream.close();
  await Promise.all([daemon.stop(), relay.stop()]);
}

/** One write of the size of a turn's beginning, on the disk of the daemon. */
async function syncTime(file) {
  await file.write(Buffer.alloc(1_024, 32));
  const started = performance.now();
  await file.datasync();
  return performance.now() - started;
}

async function firstTurn(daemon, sessionId) {
  const started = performance.now();
  await daemon.create(sessionId);
  const stream = await watchStream(daemon.port, await daemon.streamPath(sessionId));
  const ended = stream.saw(turnEnded);
  await daemon.send(sessionId, prompt);
  await ended;
  const ms = performance.now() - started;
  stream.close();
  return ms;
}

async function firstTurnOfRelay(relay) {
  const started = performance.now();
  await relay.startAgent();
  const stream = await watchStream(relay.port, "/stream");
  const ended = stream.saw(turnShut);
  await relay.prompt(prompt);
  await ended;
  const ms = performance.now() - started;
  stream.close();
  return ms;
}

async function timeOf(stream, text, send) {
  const started = performance.now();
  const seen = stream.saw(text);
  await send();
  await seen;
  return performance.now() - started;
}
