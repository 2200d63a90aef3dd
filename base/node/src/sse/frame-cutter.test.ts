import fc from "fast-check";
import { expect, it } from "vitest";
import { dataOf, FrameCutter, FrameTooLong, framesOf, mostFrameBytes } from "./frame-cutter.ts";

const lineEnds = ["\n", "\r\n", "\r"] as const;

it("bytes come out as they went in, whatever the pieces, and always cut at a frame end", () => {
  const frame = fc.record({
    data: fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, " ")),
    end: fc.constantFrom(...lineEnds),
  });
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat(12)), (frames, sizes) => {
      const whole = Buffer.from(frames.map(({ data, end }) => `data: ${data}${end}${end}`).join(""));
      const cutter = new FrameCutter();
      const slices: Buffer[] = [];
      for (let at = 0; at < whole.length; ) {
        const size = 1 + (sizes.next().value ?? 0);
        slices.push(cutter.push(whole.subarray(at, at + size)));
        at += size;
      }
      expect(Buffer.concat([...slices, cutter.rest()])).toEqual(whole);
      for (const slice of slices.filter(({ length }) => length > 0)) {
        expect(slice.toString("utf8")).toMatch(/(\n\n|\r\n\r\n|\r\r|\r\n\r)$/);
      }
      const found = [...framesOf(Buffer.concat(slices))].map(dataOf).filter((data) => data !== undefined);
      expect(found).toEqual(frames.map(({ data }) => Buffer.from(data).toString("utf8")));
    }),
    { numRuns: 1000 },
  );
});

it("data over several lines is joined, comments and names are no data", () => {
  expect(dataOf(Buffer.from("event: a\ndata: one\ndata:two\n\n"))).toBe("one\ntwo");
  expect(dataOf(Buffer.from(": keep-alive\n\n"))).toBeUndefined();
});

it("a stream without an end of frame is refused instead of kept", () => {
  const cutter = new FrameCutter();
  cutter.push(Buffer.alloc(mostFrameBytes, "x"));
  expect(() => cutter.push(Buffer.from("x"))).toThrow(FrameTooLong);
});
