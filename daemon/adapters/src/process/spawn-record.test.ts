import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHost } from "../../test/host.ts";
import { newMarker, readSpawnRecords, writeSpawnRecord } from "./spawn-record.ts";

const whole = { agent: "test", sessionId: "s1", bootId: "b1", root: { pid: 1, startTime: "1" } };

test("what was written is read again, with and without a process", async () => {
  const { livesDirectory } = makeHost();
  const record = { ...whole, marker: newMarker() };
  const early = { marker: newMarker(), agent: "test", bootId: "b1" };
  for (const one of [record, early]) await writeSpawnRecord(livesDirectory, one);
  const read = await readSpawnRecords(livesDirectory);
  expect(read.toSorted((a, b) => Number(b.marker === record.marker) - Number(a.marker === record.marker))).toEqual([
    record,
    early,
  ]);
});

test.each([
  null,
  [],
  "text",
  { ...whole, agent: 1 },
  { ...whole, bootId: undefined },
  { ...whole, sessionId: null },
  { ...whole, root: null },
  { ...whole, root: { pid: 0, startTime: "1" } },
  { ...whole, root: { pid: 1.5, startTime: "1" } },
  { ...whole, root: { pid: "1", startTime: "1" } },
  { ...whole, root: { pid: 1 } },
])("of a record that is none only the marker is known: %j", async (value) => {
  const { livesDirectory } = makeHost();
  const marker = newMarker();
  await writeSpawnRecord(livesDirectory, { ...whole, marker });
  await writeFile(join(livesDirectory, `${marker}.json`), JSON.stringify(value));
  expect(await readSpawnRecords(livesDirectory)).toEqual([{ marker }]);
});
