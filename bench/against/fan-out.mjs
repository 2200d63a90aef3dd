/** An agent that talks to a hundred readers: nearly all of what it costs is the deliveries. */
import { cpuSeconds } from "../processes.mjs";
import { startTalk } from "./talk.mjs";

const cpu = "agent → 100 readers: CPU of the daemon per delivery";
export const units = { [cpu]: "µs" };
const events = 4_000;

export async function open(build) {
  const talk = await startTalk(build);
  return {
    async measure() {
      const before = await cpuSeconds(talk.daemon.pid);
      const { frames } = await talk.burst({ events, readers: 100 });
      return { [cpu]: (1e6 * ((await cpuSeconds(talk.daemon.pid)) - before)) / frames };
    },
    close: talk.close,
  };
}
