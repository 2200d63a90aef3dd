import { withoutEntry } from "@muster/core";
import { chain, emit } from "../../converter/steps.ts";
import type { ReadyLine, StartLine } from "../wire/native.ts";
import { type CodebuffState, type CodebuffStep, noTurn } from "../wire/state.ts";

/** The first line of a kept-open process: credentials and settings are good. */
export function onReady(state: CodebuffState, line: ReadyLine): CodebuffStep {
  const { sessionId: nativeSessionId, version: agentVersion } = line;
  const model = line.model ?? undefined;
  const contextLost = line.contextLost ? true : undefined;
  const facts = { ready: true, agentVersion, nativeSessionId, model, contextLost, metadata: startMetadata(line) };
  return emit({ ...state, nativeSessionId, model: model ?? state.model, directory: line.cwd ?? undefined, facts });
}

/** What is told of a run at its start, over what was known before. */
function startMetadata(line: ReadyLine | StartLine, known: Record<string, unknown> = {}) {
  return {
    ...known,
    agentId: line.agentId ?? known.agentId,
    model: line.model ?? known.model,
    sessionId: line.sessionId ?? known.sessionId,
    messageHistoryLength: line.messageHistoryLength ?? known.messageHistoryLength,
  };
}

/** Every run has one. It answers a message of ours, or goes on with one that came too late to steer, or is its own. */
export function onStart(state: CodebuffState, line: StartLine): CodebuffStep {
  return chain(
    state,
    (before) => beginTurn(before, line.messageId ?? undefined),
    (before) => learn(before, line),
  );
}

function beginTurn(state: CodebuffState, messageId: string | undefined): CodebuffStep {
  const message = messageId === undefined ? undefined : state.waiting.get(messageId);
  const named = messageId === undefined ? [] : [messageId];
  const { turn } = state;
  const next: CodebuffState = {
    ...state,
    waiting: messageId === undefined ? state.waiting : withoutEntry(state.waiting, messageId),
    turn: turn.isOpen
      ? { ...turn, messageIds: [...turn.messageIds, ...named] }
      : { ...noTurn, isOpen: true, messageIds: named },
  };
  if (message?.steers) {
    const joined = { type: "message.joined", data: { messageId: named[0] ?? "" } } as const;
    return turn.isOpen ? emit(next, joined) : emit(next, { type: "turn.began", data: {} }, joined);
  }
  return message || turn.isOpen ? emit(next) : emit(next, { type: "turn.began", data: {} });
}

/** Session, model and agent as they are now; told when they are not what was known. */
function learn(state: CodebuffState, line: StartLine): CodebuffStep {
  const nativeSessionId = line.sessionId ?? state.nativeSessionId;
  const model = line.model ?? state.model;
  const metadata = startMetadata(line, state.facts.metadata);
  const next = { ...state, nativeSessionId, model, facts: { ...state.facts, nativeSessionId, model, metadata } };
  const isOtherSession = nativeSessionId !== state.nativeSessionId;
  const isOtherModel = model !== state.model;
  if (!isOtherSession && !isOtherModel) return emit(next);
  return emit(next, {
    type: "session.updated",
    data: { nativeSessionId: isOtherSession ? nativeSessionId : undefined, model: isOtherModel ? model : undefined },
  });
}
