import { expect, test } from "vitest";
import { Conversion } from "../../converter/conversion.ts";
import { ampConverter } from "../converter.ts";

function life() {
  const conversion = new Conversion(ampConverter);
  conversion.command({ type: "message", messageId: "m1", text: "go", attachments: [] }, []);
  return conversion;
}
const answer = (stop_reason: string | null, ...content: object[]) =>
  JSON.stringify({ type: "assistant", message: { content, stop_reason } });
const text = { type: "text", text: "Once" };

test.each([
  ["end_turn", { status: "completed" }],
  ["stop_sequence", { status: "completed" }],
  ["max_tokens", { status: "failed", cause: "output_limit" }],
  ["refusal", { status: "failed", cause: "refused" }],
])("an answer that stops with %s ends the turn", (reason, data) => {
  expect(life().line(answer(reason, text), []).at(-1)).toMatchObject({ type: "turn.finished", data });
});

test("one without an end, after which nothing comes, has failed after a while", () => {
  const conversion = life();
  conversion.line(answer(null, text), []);
  expect([10_000, 12_999].flatMap((nowMs) => conversion.tick(nowMs, []))).toEqual([]);
  expect(conversion.tick(13_000, [])).toMatchObject([
    { type: "turn.finished", data: { status: "failed", cause: "agent_error", messageIds: ["m1"] } },
  ]);
  expect(conversion.tick(20_000, [])).toEqual([]);
});

test("what comes after it tells the end", () => {
  const conversion = life();
  conversion.line(answer(null, text), []);
  conversion.tick(10_000, []);
  conversion.line(answer("end_turn", text), []);
  expect(conversion.tick(20_000, [])).toEqual([]);
  const calling = life();
  calling.line(answer(null, { type: "tool_use", id: "t", name: "Bash", input: { cmd: "sleep 60" } }), []);
  expect([10_000, 90_000].flatMap((nowMs) => calling.tick(nowMs, []))).toEqual([]);
});
