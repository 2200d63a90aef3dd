import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLong, random, seed } from "@muster/chaos";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";
import { post } from "./daemon-calls.ts";
import { cutReader, printer } from "./process-readers.ts";

let home: DaemonHome;

beforeAll(async () => {
  home = await DaemonHome.make();
});
afterAll(async () => {
  await home.remove();
});

const sizes = isLong
  ? [
      { readers: 200, megabytes: 50 },
      { readers: 4, megabytes: 1024 },
    ]
  : [{ readers: 8, megabytes: 32 }];

for (const { readers, megabytes } of sizes) {
  it(`${readers} readers of ${megabytes} MB, each cut at random and back, get every byte once`, async () => {
    const daemon = await home.start();
    const processId = `printer-${readers}`;
    const sum = join(home.path, processId);
    const bytes = megabytes * 1024 * 1024;
    await post(daemon, `/processes/${processId}`, {
      command: process.execPath,
      args: ["-e", printer, String(bytes), sum],
      limits: { outputBytes: 2 * bytes },
    });
    const next = random(seed + readers);
    const readings = Array.from({ length: readers }, () =>
      cutReader(() => daemon.api.baseUrl, { processId, random: next }).read(),
    );
    const read = await Promise.all(readings);
    const expected = await readFile(sum, "utf8");
    expect(new Set(read.map(({ stdout }) => stdout))).toEqual(new Set([expected]));
    expect(new Set(read.map((one) => one.bytes))).toEqual(new Set([bytes]));
    expect(read.every(({ cuts }) => cuts > 0)).toBe(true);
    await daemon.kill("SIGTERM");
  });
}
