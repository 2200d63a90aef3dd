import { isLong, random, tell } from "@muster/chaos";
import { expect, it } from "vitest";
import { DaemonHome, DaemonProcess } from "./daemon-process.ts";

const races = isLong ? 1_000 : 5;

it("of daemons that start at the same moment over a dead one, one runs and the others say which", {
  timeout: 120_000 + races * 10_000,
}, async () => {
  const home = await DaemonHome.make();
  const args = ["--port", "0", "--no-token", "--data-dir", home.dataDirectory];
  const env = { PATH: process.env.PATH ?? "", HOME: home.path };
  const chance = random();
  let daemons = 0;
  let held = 0;
  try {
    for (let race = 0; race < races; race++) {
      const racers = Array.from({ length: 2 + Math.floor(chance() * 3) }, () => new DaemonProcess(args, env));
      daemons += racers.length;
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
    tell({ fault: "a race of whole daemons for one directory", tried: races, held, note: `${daemons} daemons` });
    await home.remove();
  }
});
