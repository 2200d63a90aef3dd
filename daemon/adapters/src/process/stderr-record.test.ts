import { expect, test } from "vitest";
import { StderrRecord } from "./stderr-record.ts";

test("a short stderr is kept whole", () => {
  const record = new StderrRecord();
  record.add(Buffer.from("one\ntw"));
  record.add(Buffer.from("o\nthree"));
  expect(record.excerpt()).toEqual({ head: "one\ntwo\nthree", tail: "", truncated: false, totalLines: 3 });
});

test("of a long stderr the first and the last 8 KiB are kept", () => {
  const record = new StderrRecord();
  record.add(Buffer.from(`${"a".repeat(8191)}\n`));
  for (let count = 0; count < 100; count++) record.add(Buffer.from(`${"b".repeat(999)}\n`));
  record.add(Buffer.from(`${"c".repeat(8191)}\n`));
  expect(record.excerpt()).toEqual({
    head: `${"a".repeat(8191)}\n`,
    tail: `${"c".repeat(8191)}\n`,
    truncated: true,
    totalLines: 102,
  });
});

test("nothing written is nothing said", () => {
  expect(new StderrRecord().excerpt()).toEqual({ head: "", tail: "", truncated: false, totalLines: 0 });
});
