/** An agent that talks and one reader. */
import { cpuSeconds } from "../processes.mjs";
import { startTalk } from "./talk.mjs";

const cpu = "agent → SSE: CPU of the daemon per event";
const time = "agent → SSE: time per event";
export const units = { [cpu]: "µs", [time]: "µs" };
const events = 30_000;

export async function open(build) {
  const talk = await startTalk(build);
  return {
    async measure() {
      const before = await cpuSeconds(talk.daemon.pid);
      const { frames, ms } = await talk.burst({ events, readers: 1 });
      const seconds = (await cpuSeconds(talk.daemon.pid)) - before;
      return { [cpu]: (1e6 * seconds) / frames, [time]: (1e3 * ms) / frames };
    },
    close: talk.close,
  };
}
