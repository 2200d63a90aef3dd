import { expect, it } from "vitest";
import { joinOutcomes, readOutcome } from "./hook-outcome.ts";

const ended = { command: "check", exitCode: 0, stdout: "", stderr: "" };
const json = (value: object) => ({ ...ended, stdout: JSON.stringify(value) });
const nothing = { context: [], messages: [] };

it("code 2 blocks with what stands on standard error, whatever was printed", () => {
  expect(readOutcome("PreToolUse", { ...json({ decision: "approve" }), exitCode: 2, stderr: "no\n" })).toEqual({
    ...nothing,
    block: "no",
    permission: "deny",
  });
});

it("another code is a failure of the hook and decides nothing", () => {
  expect(readOutcome("Stop", { ...ended, exitCode: 1, stderr: "boom\nat line 3" })).toEqual({
    context: [],
    messages: ["The Stop hook check ended with code 1: boom"],
  });
  expect(readOutcome("Stop", { ...ended, exitCode: undefined, failure: "took longer than 60 s" }).messages).toEqual([
    "The Stop hook check took longer than 60 s",
  ]);
});

it("text is told to the model only where an event says so", () => {
  expect(readOutcome("UserPromptSubmit", { ...ended, stdout: "note\n" }).context).toEqual(["note"]);
  expect(readOutcome("PostToolUse", { ...ended, stdout: "note\n" })).toEqual(nothing);
});

it("JSON of another form decides nothing and is told", () => {
  for (const stdout of [
    "{",
    '{"decision":"maybe"}',
    '{"continue":"no"}',
    '{"hookSpecificOutput":{"updatedInput":[1]}}',
  ]) {
    const { messages, ...rest } = readOutcome("PreToolUse", { ...ended, stdout });
    expect(messages).toEqual(["The PreToolUse hook check printed JSON of another form"]);
    expect(rest).toEqual({ context: [] });
  }
});

it("the older words of a decision mean what the newer ones mean", () => {
  expect(readOutcome("PreToolUse", json({ decision: "block", reason: "no" }))).toMatchObject({
    block: "no",
    permission: "deny",
  });
  expect(readOutcome("PreToolUse", json({ decision: "approve" })).permission).toBe("allow");
});

it("the strictest of several decides, and what all say is kept", () => {
  const said = (permissionDecision: string, more = {}) =>
    readOutcome("PreToolUse", json({ hookSpecificOutput: { permissionDecision, ...more } }));
  expect(joinOutcomes([said("allow", { additionalContext: "a" }), said("ask"), said("allow")])).toMatchObject({
    permission: "ask",
    context: ["a"],
  });
  expect(joinOutcomes([said("allow"), said("deny", { permissionDecisionReason: "no" })])).toMatchObject({
    permission: "deny",
    block: "no",
  });
});
