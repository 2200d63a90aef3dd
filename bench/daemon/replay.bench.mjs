/** Readers that begin at the beginning of a long session: one, and a hundred at once. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inEvent, startDaemon } from "../daemon.mjs";
import { cpuSeconds, programs, residentMegabytes, startServer } from "../processes.mjs";
import { openReaders, readOnce } from "../readers.mjs";
import { median } from "../statistics.mjs";

const many = 100;

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
  const together = { ours: [], bare: [] };
  for (let round = 0; round <= rounds(3); round++) {
    const until = inEvent(last);
    const ours = await cpuOf(daemon.pid, () => readOnce({ port: daemon.port, path, readers: many, until }));
    const open = await openReaders({ port: bare.port, path: "/open", readers: many, until });
    const plain = await cpuOf(bare.pid, async () => {
      await fetch(`http://127.0.0.1:${bare.port}/send`, { method: "POST" });
      await open.done;
    });
    await open.close();
    if (round === 0) continue;
    together.ours.push((ours / (many * last)) * 1_000_000);
    together.bare.push((plain / (many * last)) * 1_000_000);
    say(`${many} replays at once, ${round} of ${rounds(3)}: ${together.ours.at(-1).toFixed(2)} µs a delivery`);
  }
  report({
    name: `CPU of the daemon per delivery, ${many} readers replay ${events.toLocaleString("en")} events at once`,
    value: median(together.ours),
    unit: "µs",
    baseline: median(together.bare),
    baselineIs: "bare node:http that writes the same bytes in 64 KiB pieces to as many responses",
    note: `memory of the daemon afterwards ${Math.round(await residentMegabytes(daemon.pid))} MB`,
  });
  await Promise.all([daemon.stop(), bare.stop()]);
}

async function cpuOf(pid, work) {
  const before = await cpuSeconds(pid);
  await work();
  return (await cpuSeconds(pid)) - before;
}
