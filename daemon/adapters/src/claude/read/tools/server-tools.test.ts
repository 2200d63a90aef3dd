import { expect, test } from "vitest";
import { Conversion } from "../../../converter/conversion.ts";
import { claudeConverter } from "../../converter.ts";

const assistant = (...content: object[]) => ({ type: "assistant", message: { id: "m", content } });
const search = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "herons" } };

/** Kind, status and what is told of each item. */
function told(...lines: object[]): (string | undefined)[][] {
  const conversion = new Conversion(claudeConverter);
  return lines
    .flatMap((line) => conversion.line(JSON.stringify(line), []))
    .flatMap((signal): (string | undefined)[][] => {
      if (signal.type !== "item.completed") return [];
      const { kind, status, content } = signal.data.item;
      const [part] = content;
      if (part?.type === "tool_call") return [[kind, status, part.toolKind, part.title ?? part.name]];
      return part?.type === "tool_result" ? [[kind, status, part.output]] : [[kind, status, part?.type]];
    });
}

test("a search of the provider is a call with a result", () => {
  const found = [{ type: "web_search_result", title: "Herons", url: "https://herons.example" }];
  const result = { type: "web_search_tool_result", tool_use_id: "s1", content: found };
  expect(told(assistant(search), assistant(result))).toEqual([
    ["tool_call", "completed", "fetch", "herons"],
    ["tool_result", "completed", JSON.stringify(found)],
  ]);
});

test("one that fails has failed", () => {
  const content = { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" };
  expect(told(assistant(search, { type: "web_search_tool_result", tool_use_id: "s1", content }))).toEqual([
    ["tool_call", "failed", "fetch", "herons"],
    ["tool_result", "failed", "max_uses_exceeded"],
  ]);
});

test("a tool of an MCP server that the provider reaches is named like any other", () => {
  const call = { type: "mcp_tool_use", id: "t1", name: "echo", server_name: "demo", input: {} };
  const content = [{ type: "text", text: "hi" }];
  const result = { type: "mcp_tool_result", tool_use_id: "t1", is_error: false, content };
  expect(told(assistant(call), assistant(result))).toEqual([
    ["tool_call", "completed", "other", "mcp__demo__echo"],
    ["tool_result", "completed", "hi"],
  ]);
});

test.each([
  [{ subtype: "success", stop_reason: "max_tokens" }, "output_limit"],
  [{ subtype: "success", stop_reason: "refusal" }, "refused"],
  [{ subtype: "success", stop_reason: "model_context_window_exceeded" }, "context_overflow"],
  [{ subtype: "error_max_turns", is_error: true, errors: ["Reached maximum number of turns (1)"] }, "max_steps"],
  [{ subtype: "error_max_budget_usd", is_error: true, errors: ["Reached the budget"] }, "budget_exceeded"],
])("a turn that ends with %j has failed with %s", (result, cause) => {
  const conversion = new Conversion(claudeConverter);
  const signals = [assistant({ type: "text", text: "Once" }), { type: "result", result: "Once", ...result }].flatMap(
    (line) => conversion.line(JSON.stringify(line), []),
  );
  expect(signals.at(-1)).toMatchObject({ type: "turn.finished", data: { status: "failed", cause } });
});
