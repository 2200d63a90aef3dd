/** A reader that begins at the beginning of a long session. */
import { inEvent } from "../daemon.mjs";
import { cpuSeconds } from "../processes.mjs";
import { readOnce } from "../readers.mjs";
import { startTalk } from "./talk.mjs";

const cpu = "replay: CPU of the daemon per event";
const time = "replay: time per event";
export const units = { [cpu]: "µs", [time]: "µs" };
const events = 50_000;
/** One reader alone is over before its CPU can be told from noise. */
const readings = 3;

export async function open(build) {
  const talk = await startTalk(build);
  const { last } = await talk.burst({ events, readers: 1 });
  const reading = { port: talk.daemon.port, path: `${talk.path}?offset=0`, until: inEvent(last) };
  return {
    async measure() {
      const before = await cpuSeconds(talk.daemon.pid);
      let ms = 0;
      for (let n = 0; n < readings; n++) ms += (await readOnce(reading)).ms;
      const seconds = (await cpuSeconds(talk.daemon.pid)) - before;
      return { [cpu]: (1e6 * seconds) / (readings * last), [time]: (1e3 * ms) / (readings * last) };
    },
    close: talk.close,
  };
}
