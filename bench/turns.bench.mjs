/** A small turn: with the start of the agent, and with an agent that is there. */
import { startDaemon, turnEnded } from "./daemon.mjs";
import { watchStream } from "./keep-alive.mjs";
import { startRelay, turnShut } from "./relay.mjs";
import { median } from "./statistics.mjs";

const prompt = "echo a few words";

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
  say("warm turns");
  const warm = { ours: [], bare: [] };
  const ours = await watchStream(daemon.port, await daemon.streamPath("first-1"));
  const bare = await watchStream(relay.port, "/stream");
  for (let turn = 0; turn < rounds(100); turn++) {
    warm.bare.push(await timeOf(bare, turnShut, () => relay.prompt(prompt)));
    warm.ours.push(await timeOf(ours, turnEnded, () => daemon.send("first-1", prompt)));
  }
  report({
    name: "warm turn: POST message → turn.ended on SSE",
    value: median(warm.ours),
    unit: "ms",
    baseline: median(warm.bare),
    baselineIs: "bare relay, nothing written to disk",
    note: "ours waits for three syncs of the disk: accepted, given, ended",
  });
  for (const stream of [ours, bare]) stream.close();
  await Promise.all([daemon.stop(), relay.stop()]);
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
