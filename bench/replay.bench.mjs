/** A reader that begins at the beginning of a long session. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inEvent, startDaemon } from "./daemon.mjs";
import { programs, startServer } from "./processes.mjs";
import { readOnce } from "./readers.mjs";
import { median } from "./statistics.mjs";

export async function run({ report, say, rounds, scale, profile }) {
  const events = scale(100_000);
  const daemon = await startDaemon({ profile });
  await daemon.create("replay");
  say(`making ${events} events`);
  await daemon.send("replay", `burst ${events}`);
  await daemon.idle("replay");
  const path = "/sessions/replay/events/sse?offset=0";
  const file = join(daemon.data, "replay.frames");
  const { bytes, last } = await daemon.frames("replay", 0);
  await writeFile(file, bytes);
  const bare = await startServer([programs.bareServer, file]);
  const rates = { ours: [], bare: [] };
  for (let round = 0; round <= rounds(7); round++) {
    const ours = await readOnce({ port: daemon.port, path, until: inEvent(last) });
    const plain = await readOnce({ port: bare.port, path: "/file", until: inEvent(last) });
    if (ours.frames !== last || plain.frames !== last) throw new Error(`replayed ${ours.frames} of ${last} events`);
    // The first round warms up.
    if (round === 0) continue;
    rates.ours.push(ours.frames / (ours.ms / 1_000));
    rates.bare.push(plain.frames / (plain.ms / 1_000));
    say(`replay ${round} of ${rounds(7)}: ${Math.round(ours.ms)} ms, static file ${Math.round(plain.ms)} ms`);
  }
  report({
    name: `replay of ${events.toLocaleString("en")} events from offset 0`,
    value: median(rates.ours),
    unit: "events/s",
    baseline: median(rates.bare),
    baselineIs: "a static file response of the same bytes",
    note: `${(bytes.length / 2 ** 20).toFixed(1)} MB in ${Math.round((events / median(rates.ours)) * 1_000)} ms`,
  });
  await Promise.all([daemon.stop(), bare.stop()]);
}
