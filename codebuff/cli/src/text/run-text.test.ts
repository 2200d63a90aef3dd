import type { PrintModeEvent, ToolOutputPart } from "@muster/codebuff-protocol";
import { plain } from "@muster/core";
import { expect, it } from "vitest";
import { RunText } from "./run-text.ts";

const json = (value: Extract<ToolOutputPart, { type: "json" }>["value"]): ToolOutputPart[] => [{ type: "json", value }];

function tell(events: readonly (PrintModeEvent | { after: number })[], clean = true) {
  const text = new RunText(plain, { clean });
  let now = 0;
  let answer = "";
  let notes = "";
  for (const event of events) {
    if ("after" in event) {
      now += Number(event.after);
      continue;
    }
    const written = text.write(event as PrintModeEvent, now);
    answer += written.answer;
    notes += written.notes;
  }
  return { answer, notes, busyWith: text.busyWith };
}

it("streams the answer, gives each tool a line with its result and time, and ends with time and cost", () => {
  const { answer, notes } = tell([
    { type: "start", messageHistoryLength: 0 },
    { type: "text", text: "Let me " },
    { type: "text", text: "see." },
    { type: "tool_call", toolCallId: "1", toolName: "run_terminal_command", input: { command: "npm\n test" } },
    { type: "tool_call", toolCallId: "2", toolName: "read_files", input: { paths: ["a.ts", "b.ts"] } },
    { after: 2300 },
    { type: "tool_result", toolCallId: "1", toolName: "run_terminal_command", output: json({ exitCode: 3 }) },
    { type: "tool_result", toolCallId: "2", toolName: "read_files", output: json([]) },
    { type: "text", text: "Done.\n" },
    { type: "finish", totalCost: 2, totalCostUsd: 0.0213, status: "completed" },
  ]);
  expect(answer).toBe("Let me see.\n\nDone.\n");
  expect(notes).toBe(
    "\n✗ run_terminal_command npm test exit 3 2.3 s\n✓ read_files a.ts, b.ts 2.3 s\n2.3 s · $0.0213\n",
  );
});

it("shows a sub-agent as a line with its tools below it, and keeps its words for its parent", () => {
  const agent = { agentId: "c1", agentType: "file-picker", displayName: "File picker", onlyChild: true };
  const { answer, notes } = tell([
    { type: "start", messageHistoryLength: 0 },
    { type: "subagent_start", ...agent, prompt: "find the parser" },
    { type: "text", text: "secret thoughts", agentId: "c1" },
    { type: "tool_call", toolCallId: "1", toolName: "glob", input: { pattern: "**/*.ts" }, parentAgentId: "c1" },
    { type: "tool_result", toolCallId: "1", toolName: "glob", output: json({}), parentAgentId: "c1" },
    { type: "subagent_finish", ...agent },
    { type: "text", text: "Found it." },
  ]);
  expect(answer).toBe("Found it.");
  expect(notes).toBe("◆ File picker find the parser\n  ✓ glob **/*.ts 0 ms\n");
});

it("tells errors, an unfinished status and an unknown cost", () => {
  const { notes } = tell([
    { type: "start", messageHistoryLength: 0 },
    { type: "error", message: "The model\nwas cut off", fatal: false },
    { type: "finish", totalCost: 0, status: "max_steps", costUnknown: true },
  ]);
  expect(notes).toBe("! The model was cut off\nmax_steps · 0 ms · cost unknown\n");
});

it("lets no escape sequence of a model or a tool reach the terminal, but leaves a piped answer as it is", () => {
  const events: PrintModeEvent[] = [
    { type: "text", text: "a\u001b[2Jb\u001b]0;title\u0007c\u0000\u202e" },
    { type: "tool_call", toolCallId: "1", toolName: "glob", input: { pattern: "\u001b[31m*" } },
    { type: "tool_result", toolCallId: "1", toolName: "glob", output: json({ errorMessage: "\u001b[1mno" }) },
  ];
  expect(tell(events)).toMatchObject({ answer: "abc", notes: "\n✗ glob * no 0 ms\n" });
  expect(tell(events, false).answer).toBe("a\u001b[2Jb\u001b]0;title\u0007c\u0000\u202e");
});

it("knows what it waits for", () => {
  expect(tell([{ type: "start", messageHistoryLength: 0 }]).busyWith).toBe("waiting for the model");
  const call = { type: "tool_call", toolCallId: "1", toolName: "sleep", input: {} } as const;
  expect(tell([call]).busyWith).toBe("sleep");
});

it("writes a text as it came, however it was cut into pieces and whatever is noted meanwhile", () => {
  const text = "def f():\n    return 1\n\n\nprint(f())\n\n- a\r\n- b\n\n";
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const longest = 1 + random(20);
    const events: PrintModeEvent[] = [{ type: "start", messageHistoryLength: 0 }];
    for (let at = 0; at < text.length; ) {
      const piece = text.slice(at, at + 1 + random(longest));
      events.push({ type: "text", text: piece });
      if (random(10) === 0) events.push({ type: "error", message: "a note", fatal: false });
      at += piece.length;
    }
    expect(tell(events, false).answer).toBe(text);
  }
});

it("sets two texts of the model apart with a blank line, and a note from an unfinished line", () => {
  const call: PrintModeEvent[] = [
    { type: "tool_call", toolCallId: "1", toolName: "glob", input: { pattern: "*" } },
    { type: "tool_result", toolCallId: "1", toolName: "glob", output: json([]) },
  ];
  const { answer, notes } = tell([
    { type: "text", text: "First:\n" },
    ...call,
    { type: "text", text: "\nSecond." },
    ...call,
  ]);
  expect(answer).toBe("First:\n\n\nSecond.");
  expect(notes).toBe("✓ glob * 0 ms\n\n✓ glob * 0 ms\n");
});
