import { expect, test } from "vitest";
import { readAgentTask } from "./agent-command.ts";

test.each([
  ["/agent make tests pass", "make tests pass"],
  ["/agent  two\nlines\n", "two\nlines"],
  ["/agent", ""],
  ["/agent \n", ""],
  ["/agents list", undefined],
  ["tell me about /agent x", undefined],
  ["", undefined],
])("%j", (prompt, task) => expect(readAgentTask(prompt)).toBe(task));
