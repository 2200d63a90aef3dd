import type { HandleSteps } from "@muster/codebuff-protocol";
import { call, hidden } from "./calls.ts";
import { firstValue, textSince } from "./messages.ts";

/** Runs one command; a cheap model tells only what was asked, or nobody does. */
export const runCommand: HandleSteps = function* ({ params }) {
  const { command, timeout_seconds, rawOutput } = params ?? {};
  if (typeof command !== "string" || command === "") {
    yield hidden("set_output", { errorMessage: "params.command is missing" });
    return;
  }
  const limit: Record<string, number> = typeof timeout_seconds === "number" ? { timeout_seconds } : {};
  const ran = yield call("run_terminal_command", { command, ...limit });
  if (rawOutput === true) {
    yield hidden("set_output", { output: firstValue(ran.toolResult) ?? null });
    return;
  }
  const told = yield "STEP";
  yield hidden("set_output", { answer: textSince(told, ran.agentState.messageHistory.length) });
};
