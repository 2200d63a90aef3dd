import fc from "fast-check";
import { expect, it } from "vitest";
import { AnswerMeter } from "./answer-meter.ts";

const stream = { "content-type": "text/event-stream" };
const deltas = (texts: readonly string[]) =>
  texts.map(
    (text) =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", delta: { text } })}\n\n`,
  );

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [0, ...[...places].sort((one, other) => one - other), bytes.length];
  return ends.slice(1).map((end, at) => bytes.subarray(ends[at], end));
}

it("passes every byte on and counts every character, wherever the network cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 8 }),
      fc.array(fc.nat(2_000), { maxLength: 20 }),
      (texts, places) => {
        const bytes = Buffer.from(deltas(texts).join(""));
        const meter = new AnswerMeter({ protocol: "messages", headers: stream, onTold: () => {} });
        const out = cutAt(
          bytes,
          places.filter((place) => place < bytes.length),
        ).flatMap((piece) => [...meter.push(piece)]);
        expect(Buffer.concat(out).equals(bytes)).toBe(true);
        expect(meter.told.characters).toBe(texts.join("").length);
      },
    ),
    { numRuns: 1_000 },
  );
});

it("a cut lets only whole frames out, wherever the network cut and whenever it is asked for", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(600), { maxLength: 12 }), fc.nat(12), (places, when) => {
      const frames = deltas(["one", "two", "three", "four"]);
      const bytes = Buffer.from(frames.join(""));
      const meter = new AnswerMeter({ protocol: "messages", headers: stream, onTold: () => {} });
      let cuts = 0;
      const out: Buffer[] = [];
      for (const [at, piece] of cutAt(
        bytes,
        places.filter((place) => place < bytes.length),
      ).entries()) {
        if (at === when) meter.cut(() => cuts++);
        out.push(...meter.push(piece));
      }
      if (cuts === 0) return;
      const text = Buffer.concat(out).toString();
      expect([cuts, meter.takesLastFrame]).toEqual([1, true]);
      expect(frames.map((_, count) => frames.slice(0, count).join("")).concat(frames.join(""))).toContain(text);
    }),
    { numRuns: 2_000 },
  );
});

it("a frame beyond a mebibyte passes unread, and what follows is read", async () => {
  const meter = new AnswerMeter({ protocol: "messages", headers: stream, onTold: () => {} });
  const huge = Buffer.from(`data: {"x":"${"y".repeat(1_200_000)}`);
  const usage = `"}\n\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}\n\n`;
  expect(meter.push(huge)).toEqual([huge]);
  meter.push(Buffer.from(usage));
  expect((await meter.finish()).usage?.outputTokens).toBe(7);
});

it("a broken compressed answer is passed on and tells nothing", async () => {
  const headers = { ...stream, "content-encoding": "gzip" };
  const meter = new AnswerMeter({ protocol: "messages", headers, onTold: () => {} });
  const bytes = Buffer.from("not gzip");
  expect(meter.push(bytes)).toEqual([bytes]);
  expect((await meter.finish()).isFinal).toBe(false);
});

it("words and counts in one read are both kept", () => {
  const start = `data: ${JSON.stringify({ type: "message_start", message: { usage: { input_tokens: 9, output_tokens: 1 } } })}\n\n`;
  const meter = new AnswerMeter({ protocol: "messages", headers: stream, onTold: () => {} });
  meter.push(Buffer.from(`${start}${deltas(["x".repeat(10_000)]).join("")}`));
  expect(meter.told).toMatchObject({ characters: 10_000, isFinal: false, usage: { inputTokens: 9 } });
});
