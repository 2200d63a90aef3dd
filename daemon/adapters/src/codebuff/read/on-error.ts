import { withEntry } from "@muster/core";
import { addStatus, chain, emit } from "../../converter/steps.ts";
import type { ErrorLine } from "../wire/native.ts";
import { agentOf, type CodebuffState, type CodebuffStep, root } from "../wire/state.ts";
import { cancelCalls } from "./calls.ts";
import { failureOf } from "./failures.ts";
import { appendText, begin, closeSpoken } from "./on-text.ts";

/** With `fatal: false` the run goes on; otherwise the error is the cause of whatever end follows. */
export function onError(state: CodebuffState, line: ErrorLine): CodebuffStep {
  if (line.code === "withdrawn") return withdraw(state, line);
  if (line.code === "retrying" && line.fatal === false) return retry(state, line);
  const { message, statusCode, code, fatal } = line;
  const { cause, retryable } = failureOf(line);
  const details = {
    code: code && cause === "agent_error" ? code : undefined,
    statusCode: statusCode ?? undefined,
    fatal: fatal === true ? true : undefined,
  };
  const hasDetails = Object.values(details).some((value) => value !== undefined);
  return emit(fatal === false ? noteCut(state, line) : noteFailure(state, line), {
    type: "error",
    data: { code: cause, message, retryable, details: hasDetails ? details : undefined },
  });
}

/** The root agent is asked once to go on where its answer was cut; if that is cut too, the run ends with it. */
function noteCut(state: CodebuffState, line: ErrorLine): CodebuffState {
  if (line.code !== "length" || agentOf(line) !== root) return state;
  return { ...state, turn: { ...state.turn, isCut: true } };
}

function retry(state: CodebuffState, { message, untilMs }: ErrorLine): CodebuffStep {
  return chain(
    state,
    (before) => addStatus(before, { label: "retrying", detail: message }),
    (before) => emit(before, { type: "retry.announced", data: untilMs ? { untilMs } : {} }),
  );
}

/** Before the first line of all it says why the process does not start. */
function noteFailure(state: CodebuffState, line: ErrorLine): CodebuffState {
  const { message } = line;
  const { cause } = failureOf(line);
  const failed = { ...state, turn: { ...state.turn, failure: { cause, message } } };
  if (state.facts.ready || state.turn.isOpen) return failed;
  const type = cause === "auth_failed" ? "token_error" : cause === "model_not_found" ? "unsupported" : "process_exited";
  const details = line.code ? { code: line.code } : undefined;
  return { ...failed, facts: { ...state.facts, failure: { type, message, details } } };
}

/**
 * A step is tried again: what was shown of it does not count. The text before it, if it stands in the same item, is
 * said again in the item that takes its place.
 */
function withdraw(state: CodebuffState, line: ErrorLine): CodebuffStep {
  const agent = agentOf(line);
  const open = state.spoken.get(agent);
  const without = cancelCalls(state, line.toolCallIds ?? []);
  if (open === undefined || (open.kind === "message" && !line.characters)) return emit(without);
  const supersededBy = `item_${without.nextItem}`;
  const reserved: CodebuffState = {
    ...without,
    nextItem: without.nextItem + 1,
    replacements: withEntry(without.replacements, agent, supersededBy),
  };
  const kept =
    open.kind === "message" ? open.text.slice(0, Math.max(0, open.text.length - (line.characters ?? 0))) : "";
  return chain(
    reserved,
    (before) => closeSpoken(before, agent, { status: "cancelled", supersededBy }),
    (before) => (kept === "" ? emit(before) : begin(before, agent, { kind: "message" })),
    (before) => (kept === "" ? emit(before) : appendText(before, agent, kept)),
  );
}
