import { expect, test } from "vitest";
import { Conversion } from "../../converter/conversion.ts";
import { codebuffConverter } from "../converter.ts";

/** How a run ends whose answer was cut by the output limit before these lines. */
function endAfterCut(...lines: object[]) {
  const conversion = new Conversion(codebuffConverter);
  const cut = { type: "error", code: "length", message: "The answer was cut", fatal: false };
  const run = [{ type: "start", messageHistoryLength: 0 }, { type: "text", text: "Half" }, cut, ...lines];
  return [...run, { type: "finish", totalCost: 1 }]
    .flatMap((line) => conversion.line(JSON.stringify(line), []))
    .find(({ type }) => type === "turn.finished");
}

const call = { type: "tool_call", toolCallId: "t1", toolName: "end_turn", input: {} };

test.each<[string, object[], object]>([
  ["nothing", [], { status: "failed", cause: "output_limit" }],
  ["the rest of it", [{ type: "text", text: " and half" }], { status: "completed" }],
  ["a call, and no more words", [call], { status: "completed" }],
  ["a call of a sub-agent", [{ ...call, agentId: "sub" }], { status: "failed", cause: "output_limit" }],
])("an answer that was cut, followed by %s", (_, lines, data) => {
  expect(endAfterCut(...lines)).toMatchObject({ data });
});
