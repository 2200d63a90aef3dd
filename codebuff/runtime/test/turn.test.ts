import { expect, test } from "vitest";
import { json, openWorld, runFaults, runPrompt } from "./memory-ports.ts";

test("a turn with a tool: events, chunks, ledger, history", async () => {
  const world = openWorld({
    script: [
      [{ reasoning: ["hmm"] }, { text: ["Let me ", "read."] }, { tool: "read_files", args: { paths: ["a"] } }],
      [{ text: ["Done."] }],
    ],
    tools: { read_files: () => json([{ path: "a", content: "alpha", referencedBy: {} }]) },
  });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  expect(result.events.map(({ type }) => type)).toEqual([
    "start",
    "reasoning_delta",
    "text",
    "tool_call",
    "tool_result",
    "text",
    "finish",
  ]);
  expect(result.chunks).toEqual(["Let me ", "read.", "Done."]);
  expect(world.ledger.map(({ action }) => action)).toEqual(["START", "STEP", "STEP", "FINISH"]);
  expect(result.last).toMatchObject({ type: "prompt-response", status: "completed" });
  expect(result.history.map(({ role }) => role)).toEqual([
    "user",
    "user",
    "assistant",
    "assistant",
    "tool",
    "assistant",
  ]);
});
