import { isDue, isLong, random, seed, tell } from "@muster/chaos";
import { expect, it } from "vitest";
import { DaemonHome, DaemonProcess } from "../daemon-process.ts";

const fault = "a race of whole daemons for one directory";
const races = isLong ? 100 : 5;
const parts = Array.from({ length: isLong ? 10 : 1 }, (_, at) => at + 1);

it.for(parts)(
  "of daemons that start at the same moment over a dead one, one runs and the others say which: %d",
  {
    timeout: 120_000 + races * 10_000,
  },
  async (part, context) => {
    if (!isDue(fault, part)) return context.skip("held before, or the time is over");
    const home = await DaemonHome.make();
    const args = ["--port", "0", "--no-token", "--data-dir", home.dataDirectory];
    const env = { PATH: process.env.PATH ?? "", HOME: home.path };
    const chance = random(seed + part);
    const counts = { daemons: 0 };
    let [tried, held] = [0, 0];
    try {
      while (tried < races) {
        tried++;
        const racers = Array.from({ length: 2 + Math.floor(chance() * 3) }, () => new DaemonProcess(args, env));
        counts.daemons += racers.length;
        try {
          const ends = await Promise.allSettled(racers.map(({ ready }) => ready));
          const winners = racers.filter((_, place) => ends[place]?.status === "fulfilled");
          expect(winners).toHaveLength(1);
          const losers = racers.filter((racer) => !winners.includes(racer));
          for (const { stderr } of losers) expect(stderr).toContain(`in use by process ${winners[0]?.pid}`);
          held++;
        } finally {
          await Promise.all(racers.map((racer) => racer.kill("SIGKILL")));
        }
      }
    } finally {
      tell({ fault, part, tried, held, counts });
      await home.remove();
    }
  },
);
