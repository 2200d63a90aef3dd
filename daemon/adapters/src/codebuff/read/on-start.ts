import { definedFields } from "../../converter/defined-fields.ts";
import { chain, emit, withoutEntry } from "../../converter/steps.ts";
import type { ReadyLine, StartLine } from "./native.ts";
import { type CodebuffState, type CodebuffStep, noTurn } from "./state.ts";

/** The first line of a kept-open process: credentials and settings are good. */
export function onReady(state: CodebuffState, line: ReadyLine): CodebuffStep {
  const { sessionId: nativeSessionId, version: agentVersion } = line;
  const model = line.model ?? undefined;
  const contextLost = line.contextLost ? true : undefined;
  const facts = { agentVersion, nativeSessionId, model, contextLost, metadata: startMetadata(line) };
  return emit({
    ...state,
    nativeSessionId,
    ...definedFields({ model }),
    facts: { ready: true, ...definedFields(facts) },
  });
}

/** What is told of a run at its start. */
export function startMetadata({ agentId, model, sessionId, messageHistoryLength }: ReadyLine | StartLine) {
  return definedFields({
    agentId: agentId ?? undefined,
    model: model ?? undefined,
    sessionId: sessionId ?? undefined,
    messageHistoryLength: messageHistoryLength ?? undefined,
  });
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
  const nativeSessionId = line.sessionId ?? undefined;
  const model = line.model ?? undefined;
  const news = definedFields({
    nativeSessionId: nativeSessionId === state.nativeSessionId ? undefined : nativeSessionId,
    model: model === state.model ? undefined : model,
  });
  const metadata = { ...state.facts.metadata, ...startMetadata(line) };
  const next = { ...state, ...news, facts: { ...state.facts, ...news, metadata } };
  return Object.keys(news).length === 0 ? emit(next) : emit(next, { type: "session.updated", data: news });
}
