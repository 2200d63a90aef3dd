import { describe, expect, test } from "vitest";
import { OutputBuffer } from "./output-buffer.ts";

const limits = { headBytes: 10, tailBytes: 20 };

describe("the output buffer", () => {
  test("what fits is given back whole and only once", () => {
    const buffer = new OutputBuffer(limits);
    for (const piece of ["hello ", "wide ", "world, here I am"]) buffer.append(Buffer.from(piece));
    expect(text(buffer)).toEqual({ head: "hello wide world, here I am", tail: "", dropped: 0 });
    expect(text(buffer)).toEqual({ head: "", tail: "", dropped: 0 });
  });

  test("head and tail are kept and the middle is counted, for every way to cut the stream", () => {
    const stream = Array.from({ length: 100 }, (_, index) => String.fromCharCode(33 + (index % 90))).join("");
    for (let size = 1; size <= stream.length; size++) {
      const buffer = new OutputBuffer(limits);
      for (let at = 0; at < stream.length; at += size) buffer.append(Buffer.from(stream.slice(at, at + size)));
      expect(text(buffer)).toEqual({ head: stream.slice(0, 10), tail: stream.slice(-20), dropped: 70 });
    }
  });

  test("what is held back comes first in the next reading", () => {
    const buffer = new OutputBuffer(limits);
    buffer.append(Buffer.from("abc\x1b["));
    expect(buffer.take(() => 2).head.toString()).toBe("abc");
    buffer.append(Buffer.from("31mx"));
    expect(text(buffer).head).toBe("\x1b[31mx");
  });

  function text(buffer: OutputBuffer) {
    const { head, tail, dropped } = buffer.take();
    return { head: head.toString("latin1"), tail: tail.toString("latin1"), dropped };
  }
});
