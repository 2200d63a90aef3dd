import { AgentModeResult } from "@muster/codebuff-protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readResultsXml, resultsXml } from "./results.ts";

test("results are written an element per call, escaped", () => {
  const results: AgentModeResult[] = [
    { id: "c1", name: "run_terminal_command", status: "running", result: "a < b & </result>" },
    { id: "c2", name: "read_files", status: "completed", result: "" },
  ];
  expect(resultsXml(results)).toBe(`<tool_result>
<tool>run_terminal_command</tool>
<id>c1</id>
<status>running</status>
<result>a &lt; b &amp; &lt;/result&gt;</result>
</tool_result>
<tool_result>
<tool>read_files</tool>
<id>c2</id>
<status>completed</status>
<result></result>
</tool_result>`);
});

test("whatever a tool said is read back", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("</result>", "]]>", "&amp;lt;", "\n", "$&"));
  const result = fc.record({
    id: text,
    name: text,
    status: fc.constantFrom(...AgentModeResult.shape.status.options),
    result: text,
  });
  fc.assert(
    fc.property(fc.array(result), (results) => {
      expect(readResultsXml(resultsXml(results))).toEqual(results);
    }),
  );
});
