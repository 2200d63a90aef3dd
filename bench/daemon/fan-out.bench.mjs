/** What one more reader costs the daemon. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inEvent, startDaemon, turnEnded } from "../daemon.mjs";
import { cpuSeconds, programs, startServer } from "../processes.mjs";
import { openReaders } from "../readers.mjs";
import { median } from "../statistics.mjs";

/** Readers → events: enough deliveries to stand out of the 10 ms in which CPU is counted. */
const cases = [
  { readers: 1, events: 200_000 },
  { readers: 10, events: 100_000 },
  { readers: 100, events: 40_000 },
];
const mostAtHundred = 1;

export async function run({ report, say, rounds, scale, profile }) {
  const daemon = await startDaemon({ profile });
  await daemon.create("fan-out");
  say("warm-up");
  await burst(daemon, 50_000, 1);
  const plain = [];
  const results = cases.map(({ readers, events }) => ({ readers, events: scale(events), ours: [], bare: [] }));
  for (let round = 1; round <= rounds(5); round++) {
    for (const { readers, events, ours } of results) {
      const alone = await burst(daemon, events, 0);
      const read = await burst(daemon, events, readers);
      plain.push(alone);
      ours.push((read - alone) / readers);
      say(`${readers} readers, ${round} of ${rounds(5)}: ${micros(ours.at(-1)).toFixed(2)} µs per delivery`);
    }
  }
  say("the bare server");
  for (const result of results) await measureBare(daemon, result, rounds(5));
  report({ name: "CPU of the daemon per event, nobody reads", value: micros(median(plain)), unit: "µs" });
  for (const { readers, ours, bare } of results) {
    const value = micros(median(ours));
    const judged = readers === 100 ? { budget: `≤ ${mostAtHundred.toFixed(1)}`, ok: value <= mostAtHundred } : {};
    report({
      name: `CPU of the daemon per delivery, ${readers} reader${readers === 1 ? "" : "s"}`,
      value,
      unit: "µs",
      baseline: micros(median(bare)),
      baselineIs: "bare node:http that writes the same bytes in 64 KiB pieces to as many responses",
      ...judged,
      note: "(CPU of the process for a burst with readers − without) ÷ (events × readers); the readers are another process",
    });
  }
  await daemon.stop();
}

/** Seconds of CPU per event of one burst, the acknowledgement and the wait for it included. */
async function burst(daemon, count, readerCount) {
  const { lastSequence } = await daemon.session("fan-out");
  const path = await daemon.streamPath("fan-out");
  const readers =
    readerCount > 0 && (await openReaders({ port: daemon.port, path, readers: readerCount, until: turnEnded }));
  const before = await cpuSeconds(daemon.pid);
  await daemon.send("fan-out", `burst ${count}`);
  if (readers) await readers.done;
  else await daemon.idle("fan-out");
  const seconds = (await cpuSeconds(daemon.pid)) - before;
  if (readers) await readers.close();
  return seconds / ((await daemon.session("fan-out")).lastSequence - lastSequence);
}

/** The last `events` events of the session, sent by a server that does nothing else. */
async function measureBare(daemon, { readers, events, bare }, rounds) {
  const { lastSequence } = await daemon.session("fan-out");
  const file = join(daemon.data, `frames-${readers}`);
  const { bytes, last } = await daemon.frames("fan-out", lastSequence - events);
  await writeFile(file, bytes);
  const server = await startServer([programs.bareServer, file]);
  for (let round = 0; round <= rounds; round++) {
    const open = await openReaders({ port: server.port, path: "/open", readers, until: inEvent(last) });
    const before = await cpuSeconds(server.pid);
    await fetch(`http://127.0.0.1:${server.port}/send`, { method: "POST" });
    await open.done;
    // The first round warms up.
    if (round > 0) bare.push(((await cpuSeconds(server.pid)) - before) / (readers * events));
    await open.close();
  }
  await server.stop();
}

function micros(seconds) {
  return seconds * 1_000_000;
}
