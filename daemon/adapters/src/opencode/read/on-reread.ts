import { chain, emit } from "../../converter/steps.ts";
import { type EventOf, type NativeError, OpencodeEvent } from "../wire/native.ts";
import { isOld, type OpencodeState, type OpencodeStep, rememberMessage } from "../wire/state.ts";
import { onRequestSettled } from "./on-request.ts";
import { markTorn } from "./texts.ts";

type StepEvent = (state: OpencodeState, event: OpencodeEvent) => OpencodeStep;

/**
 * Lines were lost and everything was read again. What is stored is put through the same steps as what would have been
 * said; what is known already changes nothing.
 */
export function onReread(state: OpencodeState, all: EventOf<"daemon.reread">, stepEvent: StepEvent): OpencodeStep {
  const { sessionID, children, messages } = all;
  // An abort leaves requests behind that nobody waits for any more.
  const isPending = ({ tool }: { tool?: { messageID: string } | undefined }) =>
    state.turn !== null && (tool === undefined || !isOld(state, tool.messageID));
  const permissions = all.permissions.filter(isPending);
  const questions = all.questions.filter(isPending);
  const listed = new Set([...permissions, ...questions].map(({ id }) => id));
  const say = (event: unknown) => (now: OpencodeState) => {
    const read = OpencodeEvent.safeParse(event);
    return read.success ? stepEvent(now, read.data) : emit(now);
  };
  const isOurs = isOwnMessage(state);
  const fresh = messages.filter(({ info }) => isOurs(info.id));
  return chain(
    state,
    (now) => emit(markTorn(now)),
    ...children.map((info) => say({ type: "session.created", properties: { info } })),
    ...fresh.map(
      ({ info }) =>
        (now: OpencodeState) =>
          emit(rememberMessage(now, info)),
    ),
    ...fresh.flatMap(({ parts }) => parts.map((part) => say({ type: "message.part.updated", properties: { part } }))),
    (now) => emit(fresh.length > 0 ? markBusy(now) : now),
    ...failuresOf(fresh, state).map((error) => say({ type: "session.error", properties: { sessionID, error } })),
    ...fresh.map(({ info }) => say({ type: "message.updated", properties: { info } })),
    ...permissions.map((properties) => say({ type: "permission.asked", properties })),
    ...questions.map((properties) => say({ type: "question.asked", properties })),
    ...[...state.requests]
      .filter((key) => !listed.has(key))
      .map((key) => (now: OpencodeState) => onRequestSettled(now, key)),
    (now) => statusAgain(now, all, stepEvent),
  );
}

/** A session that is idle now has said so, perhaps twice. */
function statusAgain(state: OpencodeState, all: EventOf<"daemon.reread">, stepEvent: StepEvent): OpencodeStep {
  const { sessionID, status } = all;
  const idle = { type: "session.idle", properties: { sessionID } } as const;
  if (status.type !== "idle") return stepEvent(state, { type: "session.status", properties: { sessionID, status } });
  return chain(
    state,
    (now) => stepEvent(now, idle),
    (now) => stepEvent(now, idle),
  );
}

function isOwnMessage(state: OpencodeState): (id: string) => boolean {
  return (id) => state.turn !== null && !isOld(state, id);
}

function markBusy(state: OpencodeState): OpencodeState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, busy: true } };
}

/** The error that ended the conversation's newest message, if its line was lost. */
function failuresOf(messages: EventOf<"daemon.reread">["messages"], { turn, settings }: OpencodeState): NativeError[] {
  const own = messages.filter(({ info }) => info.sessionID === settings.nativeSessionId && info.role === "assistant");
  const error = own.at(-1)?.info.error;
  return error === undefined || turn?.error !== undefined ? [] : [error];
}
