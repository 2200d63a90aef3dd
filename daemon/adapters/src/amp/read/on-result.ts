import { emit } from "../../converter/steps.ts";
import type { ResultLine } from "../wire/native.ts";
import { type AmpState, type AmpStep, closeTurn, turnFacts } from "../wire/state.ts";
import { failureOf } from "./failures.ts";

/** What Amp says after a signal. */
export const cancelled = "User cancelled (SIGINT/SIGTERM)";

/** The last line of a process. A turn that went well is over by then; one that did not is told only here. */
export function onResult(state: AmpState, { is_error, error }: ResultLine): AmpStep {
  const { turn } = state;
  if (!is_error) return turn.isOpen ? finish(state, "completed") : emit(state);
  if (error === cancelled) return isOver(state) ? emit(state) : finish(state, "interrupted");
  const message = error ?? "Amp gave no reason";
  const { cause, retryable } = failureOf(message);
  const told = emit(
    { ...closeTurn(state), unheard: [], isStopping: true },
    { type: "error", data: { code: cause, message, retryable } },
    { type: "turn.finished", data: { status: "failed", cause, message, ...turnFacts(state) } },
  );
  // It ends by itself a moment later; a message given to it until then would be lost.
  return { ...told, replies: [{ type: "end_process" }] };
}

/** The process that was stopped has gone; where it could not say so, its turn ends here. */
export function onProcessEnded(state: AmpState): AmpStep {
  const next = { ...state, isStopping: false, turn: { ...state.turn, isAfterStop: false } };
  return isOver(state) ? emit(next) : finish(next, "interrupted");
}

/** The turn that was to be stopped ended before, and another one may wait already. */
function isOver({ turn, isStopping }: AmpState): boolean {
  return isStopping && (!turn.isOpen || turn.isAfterStop);
}

function finish(state: AmpState, status: "completed" | "interrupted"): AmpStep {
  const next = { ...closeTurn(state), unheard: [] };
  return emit(next, { type: "turn.finished", data: { status, ...turnFacts(state) } });
}
