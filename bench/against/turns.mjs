/** Small turns of an agent that is there: POST message → turn.ended on SSE. */
import { startDaemon, turnEnded } from "../daemon.mjs";
import { watchStream } from "../keep-alive.mjs";
import { cpuSeconds } from "../processes.mjs";
import { median } from "../statistics.mjs";

const cpu = "warm turn: CPU of the daemon";
const time = "warm turn: POST message → turn.ended on SSE, p50";
export const units = { [cpu]: "ms", [time]: "ms" };
const turns = 60;
/** The runtime compiles for longer than a thousand turns; what it compiles is no cost of a turn. */
const warmUp = 1_500;

export async function open(build) {
  const daemon = await startDaemon({ build });
  await daemon.create("turns");
  await daemon.stream("turns", "echo a few words");
  const stream = await watchStream(daemon.port, await daemon.streamPath("turns"));
  const turn = async () => {
    const started = performance.now();
    const ended = stream.saw(turnEnded);
    await daemon.send("turns", "echo a few words");
    await ended;
    return performance.now() - started;
  };
  for (let n = 0; n < warmUp; n++) await turn();
  return {
    async measure() {
      const before = await cpuSeconds(daemon.pid);
      const times = [];
      for (let n = 0; n < turns; n++) times.push(await turn());
      return { [cpu]: (1_000 * ((await cpuSeconds(daemon.pid)) - before)) / turns, [time]: median(times) };
    },
    async close() {
      stream.close();
      await daemon.stop();
    },
  };
}
