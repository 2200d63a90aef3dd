import { describe, expect, test } from "vitest";
import { RecordReader } from "./records.ts";

const nonce = "0123456789abcdef";
const begin = `\x1b]777;b;${nonce}\x07`;
const end = (code: number, cwd: string, of = nonce) => `\x1b]777;e;${of};${code};${cwd}\x07`;

function read(stream: Buffer, size: number) {
  const reader = new RecordReader(nonce);
  const output: Buffer[] = [];
  for (let at = 0; at < stream.length; at += size) {
    const parsed = reader.push(stream.subarray(at, at + size));
    output.push(...parsed.output);
    if (parsed.end !== null) return { output: Buffer.concat(output).toString("utf8"), end: parsed.end };
  }
  return { output: Buffer.concat(output).toString("utf8"), end: null };
}

describe("records", () => {
  const stream = Buffer.from(
    `noise ${end(9, "/x")} echo of the line\r\n${begin}a\x1b[31m ü 😀 ${end(0, "/forged", "ffffffffffffffff")}${begin}b\x1b${end(7, "/a%3Bb%0A%25c")}later`,
  );
  const expected = {
    output: `a\x1b[31m ü 😀 ${end(0, "/forged", "ffffffffffffffff")}${begin}b\x1b`,
    end: { exitCode: 7, cwd: "/a;b\n%c", spoiled: false },
  };

  test("the output between the two records of the nonce is exact, whatever the chunks are", () => {
    for (let size = 1; size <= stream.length; size++) expect(read(stream, size)).toEqual(expected);
  });

  test("an end record of another form is output", () => {
    const odd = `${begin}x\x1b]777;e;${nonce};seven;/\x07y${end(0, "/")}`;
    expect(read(Buffer.from(odd), 5)).toEqual({
      output: `x\x1b]777;e;${nonce};seven;/\x07y`,
      end: { exitCode: 0, cwd: "/", spoiled: false },
    });
  });

  test("a record that never ends is given back as output instead of being held for ever", () => {
    const flood = `${begin}\x1b]777;e;${nonce};${"9".repeat(40_000)}`;
    expect(read(Buffer.from(flood), 1000).output).toContain("9".repeat(30_000));
  });

  test("what was held back is given out when the shell is dead", () => {
    const reader = new RecordReader(nonce);
    reader.push(Buffer.from(`${begin}abc\x1b]777;e;01`));
    expect(reader.rest().toString("latin1")).toBe("\x1b]777;e;01");
  });
});
