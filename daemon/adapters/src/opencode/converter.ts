import type { Command } from "../commands.ts";
import type { Converter, Input, Resume } from "../converter/converter.ts";
import { emit } from "../converter/steps.ts";
import { unparsed } from "../converter/unparsed.ts";
import type { Signal } from "../signals.ts";
import { isIgnorable } from "./read/ignored-events.ts";
import { addSessionStatus } from "./read/items.ts";
import { onPartRemoved, onPartUpdated } from "./read/on-part.ts";
import { onPermissionAsked, onQuestionAsked, onRequestSettled } from "./read/on-request.ts";
import { onReread } from "./read/on-reread.ts";
import { planEntries } from "./read/plan-entries.ts";
import { onPartDelta } from "./read/texts.ts";
import {
  interruptTurn,
  onAssistantUpdated,
  onError,
  onIdle,
  onStatus,
  onTick,
  onUserMessage,
  refusePrompt,
  startTurn,
  steerTurn,
} from "./read/turns.ts";
import { type EventOf, eventOf, OpencodeEvent, type OpencodeNative } from "./wire/native.ts";
import { changeSettings, type Settings } from "./wire/settings.ts";
import {
  authorOf,
  initialState,
  isOld,
  newerMessage,
  type OpencodeState,
  type OpencodeStep,
  rememberMessage,
  withoutRequest,
} from "./wire/state.ts";
import { writeCommand } from "./write/commands.ts";

type OpencodeConverter = Converter<OpencodeState, OpencodeNative>;

/** The converter of one session on the server. Its sub-agents' sessions are part of it. */
export function opencodeConverter(settings: Settings): OpencodeConverter {
  return {
    initial: (resume?: Resume) => initialState(settings, resume),
    step(state: OpencodeState, input: Input<OpencodeNative>): OpencodeStep {
      if ("native" in input) return stepLine(state, input.native);
      if ("command" in input) return stepCommand(state, input.command);
      if ("tick" in input) return onTick(state, input.nowMs);
      return emit(state);
    },
  };
}

function stepLine(state: OpencodeState, line: unknown): OpencodeStep {
  const event = eventOf(line);
  if (event === undefined) return emit(state, unparsed(line, "The line is no event", "opencode"));
  if (isIgnorable(event.type)) return emit(state);
  const read = OpencodeEvent.safeParse(event);
  if (read.success) return stepEvent(state, read.data);
  const [issue] = read.error.issues;
  const isUnknown = issue?.path[0] === "type";
  const reason = isUnknown
    ? `Unknown event: ${event.type}`
    : `${event.type} ${issue?.path.join(".")}: ${issue?.message}`;
  return emit(state, unparsed(line, reason, "opencode"));
}

function stepEvent(state: OpencodeState, event: OpencodeEvent): OpencodeStep {
  const { settings } = state;
  const isRoot = (sessionID: string) => sessionID === settings.nativeSessionId;
  switch (event.type) {
    case "message.part.delta":
      return onPartDelta(state, event.properties);
    case "message.part.updated":
      return onPartUpdated(state, event.properties.part);
    case "message.updated":
      return onMessageUpdated(state, event.properties);
    case "message.part.removed":
      return onPartRemoved(state, event.properties.partID);
    case "session.updated":
      return isRoot(event.properties.info.id) ? onTitle(state, event.properties.info.title) : emit(state);
    case "session.status":
      return onStatus(state, event.properties.sessionID, event.properties.status);
    case "session.idle":
      return isRoot(event.properties.sessionID) ? onIdle(state) : emit(state);
    case "session.error": {
      const { sessionID, error = { name: "UnknownError" } } = event.properties;
      return isRoot(sessionID) ? onError(state, error) : emit(state);
    }
    case "session.compacted": {
      const { sessionID } = event.properties;
      return addSessionStatus(state, { id: `compacted_${state.nextItem}`, sessionID }, "compacted");
    }
    case "permission.asked":
      return onPermissionAsked(state, event.properties);
    case "question.asked":
      return onQuestionAsked(state, event.properties);
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return onRequestSettled(state, event.properties.requestID);
    case "todo.updated": {
      // A list is told whole; a sub-agent's would take the place of the conversation's own.
      if (!isRoot(event.properties.sessionID)) return emit(state);
      return emit(state, { type: "plan.updated", data: { entries: planEntries(event.properties.todos) } });
    }
    case "daemon.refused":
      return onCallRefused(state, event.properties);
    case "daemon.reread":
      return onReread(state, event.properties, stepEvent);
    // Of a sub-agent; whose it is decides who gets its lines.
    case "session.created":
    // Files were told by the calls that changed them and by patches; messages are taken back only by an undo of others.
    case "session.diff":
    case "message.removed":
    // Its last line; the end of the session is told by the end of the lines.
    case "session.deleted":
      return emit(state);
  }
}

function stepCommand(before: OpencodeState, command: Command): OpencodeStep {
  const replies = [writeCommand(command, before.settings)];
  const { state, bodies } = applyCommand(before, command);
  return { state, bodies, replies };
}

function applyCommand(state: OpencodeState, command: Command): { state: OpencodeState; bodies: readonly Signal[] } {
  switch (command.type) {
    case "message":
      return emit(startTurn(state, command.messageId));
    case "steer":
      return emit(steerTurn(state, command.messageId));
    case "permission":
    case "question":
      return emit(withoutRequest(state, command.requestKey));
    case "interrupt":
      return emit(interruptTurn(state));
    case "update":
      return emit({ ...state, settings: changeSettings(state.settings, command) });
  }
}

function onMessageUpdated(state: OpencodeState, { info }: EventOf<"message.updated">): OpencodeStep {
  const isKnown = authorOf(state, info.id) !== undefined;
  const newestMessage = newerMessage(state.newestMessage, info.id);
  const next = { ...rememberMessage(state, info), newestMessage };
  if (info.sessionID !== state.settings.nativeSessionId) return emit(next);
  if (info.role === "user") return isKnown || isOld(state, info.id) ? emit(next) : onUserMessage(next, info.id);
  return onAssistantUpdated(next, info);
}

/** The first one is ours. */
function onTitle(state: OpencodeState, title: string | undefined): OpencodeStep {
  if (title === undefined || title === state.title) return emit(state);
  const next = { ...state, title };
  return state.title === undefined ? emit(next) : emit(next, { type: "session.updated", data: { title } });
}

function onCallRefused(state: OpencodeState, { path, status, message }: EventOf<"daemon.refused">): OpencodeStep {
  const detail = `OpenCode answered ${status} to ${path}: ${message}`;
  const body: Signal = { type: "error", data: { code: "agent_error", message: detail, retryable: false } };
  if (!path.endsWith("/prompt_async")) return emit(state, body);
  const end = refusePrompt(state, detail);
  return { ...end, bodies: [body, ...end.bodies] };
}
