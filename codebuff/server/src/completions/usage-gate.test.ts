import { isLong } from "@muster/chaos";
import fc from "fast-check";
import { expect, it } from "vitest";
import { UsageGate } from "./usage-gate.ts";

const splits = isLong ? 20_000 : 2_000;
const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const content = (text: string) => frame({ choices: [{ delta: { content: text } }] });
const usage = { prompt_tokens: 7, completion_tokens: 3, cost: 0.5 };
const before =
  content('ein "usage": {"cost":1} – 😀') +
  frame({ usage: null }) +
  frame({ choices: [], usage: { cost: 9 } }) +
  content("[DONE]");
const whole = Buffer.from(`${before}${frame({ id: "x", usage })}data: [DONE]\n\n`);
const shown = { ...usage, cost: 4 / 105.5, cost_details: { upstream_inference_cost: 0 } };

it(`${splits} random splits of a stream with usage frames come out the same, and nothing of the last usage before the end`, () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(whole.length), { maxLength: 40 }), (places) => {
      const gate = new UsageGate();
      const out: Buffer[] = [];
      const cuts = [0, ...places.sort((one, other) => one - other), whole.length];
      for (let n = 1; n < cuts.length; n++) {
        out.push(...gate.push(whole.subarray(cuts[n - 1], cuts[n])));
      }
      expect(Buffer.concat(out).toString("utf8")).toBe(before);
      expect(gate.isDone).toBe(true);
      expect(gate.usage).toMatchObject({ inputTokens: 7, nanoDollars: 500_000_000 });
      const end = Buffer.concat(gate.end(4)).toString("utf8");
      expect(end).toBe(`${frame({ id: "x", usage: shown })}data: [DONE]\n\n`);
    }),
    { numRuns: splits },
  );
});

it("a stream that goes on for long after a usage is let go: it was not the end", () => {
  const gate = new UsageGate();
  expect(gate.push(Buffer.from(frame({ usage })))).toEqual([]);
  let bytes = 0;
  for (let n = 0; n < 20; n++) {
    for (const part of gate.push(Buffer.from(content("x".repeat(100_000))))) bytes += part.length;
  }
  expect(bytes).toBeGreaterThan(1_000_000);
});
