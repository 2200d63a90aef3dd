import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RawLog } from "./raw-log.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "raw-log-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("gives back what was said under the sequence it caused, any text, over lives", async () => {
  const texts = ['{"type":"x"}', "not JSON\nwith a line break \u2028", "", "\ud800 half a pair"];
  const first = await RawLog.open({ directory });
  for (const [index, text] of texts.entries()) first.append(index * 10 + 1, text);
  expect(await first.read(1, 31)).toEqual(new Map(texts.map((text, index) => [index * 10 + 1, text])));
  await first.close();
  const second = await RawLog.open({ directory });
  second.append(41, "later");
  expect(await second.read(21, 41)).toEqual(
    new Map([21, 31, 41].map((n, index) => [n, [...texts.slice(2), "later"][index]])),
  );
  expect(await second.read(42, 100)).toEqual(new Map());
  await second.close();
});

test("the last message under a sequence counts, also when a crash had it written before its event", async () => {
  const first = await RawLog.open({ directory });
  first.append(5, "caused nothing");
  first.append(5, "caused event 5");
  first.append(6, "caused an event that was never written");
  await first.close();
  const second = await RawLog.open({ directory });
  second.append(6, "caused event 6");
  expect(await second.read(1, 10)).toEqual(
    new Map([
      [5, "caused event 5"],
      [6, "caused event 6"],
    ]),
  );
  await second.close();
});

test("a torn last line is passed over, also in a file that is written again", async () => {
  const first = await RawLog.open({ directory });
  first.append(1, "one");
  await first.close();
  await appendFile(join(directory, "raw-000000000001.jsonl"), '{"sequence":2,"raw":"tw');
  const second = await RawLog.open({ directory });
  second.append(1, "one again");
  second.append(3, "three");
  expect(await second.read(1, 3)).toEqual(
    new Map([
      [1, "one again"],
      [3, "three"],
    ]),
  );
  await second.close();
});

test("forgets the oldest and stays within its size", async () => {
  const maxBytes = 100_000;
  const log = await RawLog.open({ directory, maxBytes });
  for (let n = 1; n <= 3_000; n++) {
    log.append(n, `message ${n} ${"x".repeat(80)}`);
    if (n % 100 === 0) await log.read(n, n);
  }
  const kept = await log.read(1, 3_000);
  expect(kept.get(3_000)).toContain("message 3000");
  expect(kept.has(1)).toBe(false);
  expect([...kept.keys()]).toEqual(Array.from({ length: kept.size }, (_, n) => 3_000 - kept.size + 1 + n));
  await log.close();
  let total = 0;
  for (const name of await readdir(directory)) {
    const info = await stat(join(directory, name));
    expect(info.mode & 0o777).toBe(0o600);
    total += info.size;
  }
  expect(total).toBeLessThanOrEqual(maxBytes + 200);
  expect(total).toBeGreaterThan(maxBytes / 2);
});

test("drops what is too large, and everything once it cannot write, without a word to the caller", async () => {
  const log = await RawLog.open({ directory, maxBytes: 80_000 });
  log.append(1, "x".repeat(20_000));
  expect(log.dropped).toBe(1);
  await rm(directory, { recursive: true });
  log.append(2, "two");
  expect(await log.read(1, 2)).toEqual(new Map());
  log.append(3, "three");
  expect(log.dropped).toBe(3);
  await log.close();
});

test("destroy leaves nothing behind", async () => {
  const log = await RawLog.open({ directory });
  log.append(1, "one");
  await log.destroy();
  expect(await readdir(directory)).toEqual([]);
});
