import { describe, expect, test } from "vitest";
import { applyFault, type Delivery, Fault } from "./faults.ts";

const pieces = ["event one\n\n", "event två\n\n", "event three\n\n"].map((text) => ({
  bytes: Buffer.from(text),
  delayMs: 3,
}));
const whole = Buffer.concat(pieces.map((piece) => piece.bytes));
const bytesOf = (delivery: Delivery) => Buffer.concat(delivery.pieces.map((piece) => piece.bytes));

describe("A fault", () => {
  test("drops the stream at exactly the byte it names, at every byte", () => {
    for (let atByte = 0; atByte <= whole.length + 3; atByte += 1) {
      const delivery = applyFault(pieces, Fault.parse({ kind: "drop", atByte }));
      expect(bytesOf(delivery)).toEqual(whole.subarray(0, atByte));
      expect(delivery.end).toBe("cut");
    }
  });

  test("stalls in the middle and then cuts, or goes on with every byte", () => {
    const stall = { kind: "stall", atByte: 5, forMs: 70 };
    const cut = applyFault(pieces, Fault.parse(stall));
    expect(bytesOf(cut)).toEqual(whole.subarray(0, 5));
    expect(cut.pieces.at(-1)).toEqual({ bytes: Buffer.alloc(0), delayMs: 70 });
    expect(cut.end).toBe("cut");
    const goesOn = applyFault(pieces, Fault.parse({ ...stall, afterwards: "continue" }));
    expect(bytesOf(goesOn)).toEqual(whole);
    expect(goesOn.end).toBe("finish");
  });

  test("drips single bytes, through the middle of a character too", () => {
    const delivery = applyFault(pieces, Fault.parse({ kind: "drip", everyMs: 2 }));
    expect(delivery.pieces).toHaveLength(whole.length);
    expect(bytesOf(delivery)).toEqual(whole);
    expect(delivery.pieces[1]?.delayMs).toBe(2);
  });

  test("breaks the event it names and ends there", () => {
    const text = bytesOf(applyFault(pieces, Fault.parse({ kind: "malformed", atEvent: 2 }))).toString();
    expect(text).toBe("event one\n\nevent två\n\nevent t\n\n");
  });

  test("always has an end: a stall longer than ten minutes is refused", () => {
    expect(Fault.safeParse({ kind: "stall", forMs: 600_001 }).success).toBe(false);
  });
});
