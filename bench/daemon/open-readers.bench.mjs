/** What the daemon holds for many who wait. */
import { setTimeout as sleep } from "node:timers/promises";
import { startDaemon } from "../daemon.mjs";
import { programs, residentMegabytes, startServer } from "../processes.mjs";
import { openReaders } from "../readers.mjs";

const most = 250;

export async function run({ report, say, scale, profile }) {
  const readers = scale(2_000);
  const daemon = await startDaemon({ profile });
  const bare = await startServer([programs.bareServer]);
  await daemon.create("watched");
  say(`opening ${readers} readers of each`);
  const path = await daemon.streamPath("watched");
  const ours = await openReaders({ port: daemon.port, path, readers });
  const theirs = await openReaders({ port: bare.port, path: "/open", readers });
  await sleep(2_000);
  const baseline = await residentMegabytes(bare.pid);
  const judged = (value) => ({ value, unit: "MB", budget: `≤ ${most}`, ok: value <= most });
  const name = `RSS with ${readers.toLocaleString("en")} open readers`;
  const baselineIs = "a bare node:http server with as many open responses";
  report({ name, ...judged(await residentMegabytes(daemon.pid)), baseline, baselineIs });
  say("a turn of 1,000 events to all of them");
  await daemon.send("watched", "burst 1000");
  let peak = 0;
  for (let look = 0; look < 60; look++) {
    peak = Math.max(peak, await residentMegabytes(daemon.pid));
    await sleep(100);
  }
  report({ name: `… at its highest while all get a turn of 1,000 events`, ...judged(peak) });
  await Promise.all([ours.close(), theirs.close()]);
  await Promise.all([daemon.stop(), bare.stop()]);
}
