import { emit } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { SystemLine } from "../wire/native.ts";
import type { AmpState, AmpStep } from "../wire/state.ts";

/** The first line of every process. The id of the thread may come as late as this: after the first message. */
export function onSystem(state: AmpState, line: SystemLine): AmpStep {
  if (line.subtype !== "init") return emit(state, unparsed(line, `Unknown line: system/${line.subtype}`, "amp"));
  const nativeSessionId = line.session_id ?? state.nativeSessionId;
  const isNews = state.facts.ready && nativeSessionId !== state.facts.nativeSessionId;
  const next = {
    ...state,
    nativeSessionId,
    directory: state.directory ?? line.cwd ?? undefined,
    facts: { ready: true, nativeSessionId },
  };
  return isNews ? emit(next, { type: "session.updated", data: { nativeSessionId } }) : emit(next);
}

/** A thread that Amp does not know is told late on a slow machine, and is not to be missed. */
const patienceMs = { begin: 5_000, resume: 20_000 };

/** A build that says nothing before its first message is ready all the same. */
export function onTick(state: AmpState, nowMs: number): AmpStep {
  const startedMs = state.startedMs ?? nowMs;
  const patience = state.nativeSessionId === undefined ? patienceMs.begin : patienceMs.resume;
  const isReady = state.facts.ready || nowMs - startedMs >= patience;
  if (state.facts.ready || !isReady) return emit({ ...state, startedMs });
  return emit({ ...state, startedMs, facts: { ready: true, nativeSessionId: state.nativeSessionId } });
}
