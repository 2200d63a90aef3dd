import type { Command } from "../commands.ts";
import type { Converter, Input, Resume } from "../converter/converter.ts";
import { unparsed } from "../converter/unparsed.ts";
import type { Signal } from "../signals.ts";
import { saidFrom } from "./inverse/to-native.ts";
import { ignorableOfServer, ignorableOfSession } from "./read/ignored-events.ts";
import { statusItem } from "./read/items.ts";
import { type EventOf, eventOf, OpencodeEvent, type OpencodeNative } from "./read/native.ts";
import { partRemoved, partUpdated } from "./read/on-part.ts";
import { permissionAsked, questionAsked, requestSettled } from "./read/on-request.ts";
import { reread } from "./read/on-reread.ts";
import { planEntries } from "./read/plan-entries.ts";
import { changed, type Settings } from "./read/settings.ts";
import {
  initialState,
  isOld,
  newerMessage,
  type OpencodeState,
  type OpencodeStep,
  told,
  withoutRequest,
} from "./read/state.ts";
import { partDelta } from "./read/texts.ts";
import {
  assistantUpdated,
  becameIdle,
  failed,
  refused,
  statusChanged,
  timePassed,
  turnBegun,
  turnInterrupted,
  turnSteered,
  userHeard,
} from "./read/turns.ts";
import { callOf, commandOf } from "./write/commands.ts";

type OpencodeConverter = Converter<OpencodeState, OpencodeNative>;

/** The converter of one session on the server. Its sub-agents' sessions are part of it. */
export function opencodeConverter(settings: Settings): OpencodeConverter {
  return {
    initial: (resume?: Resume) => initialState(settings, resume),
    step(state: OpencodeState, input: Input<OpencodeNative>): OpencodeStep {
      if ("native" in input) return stepLine(state, input.native);
      if ("command" in input) return stepCommand(state, input.command);
      if ("tick" in input) return timePassed(state, input.nowMs);
      return told(state);
    },
    fromUniversal: (body) => saidFrom(body, settings.nativeSessionId),
    inputFromNative: commandOf,
  };
}

function stepLine(state: OpencodeState, line: unknown): OpencodeStep {
  const event = eventOf(line);
  if (event === undefined) return told(state, unparsed(line, "The line is no event", "opencode"));
  if (ignorableOfSession.has(event.type) || ignorableOfServer.has(event.type)) return told(state);
  const read = OpencodeEvent.safeParse(event);
  if (read.success) return stepEvent(state, read.data);
  const [issue] = read.error.issues;
  const isUnknown = issue?.path[0] === "type";
  const reason = isUnknown
    ? `Unknown event: ${event.type}`
    : `${event.type} ${issue?.path.join(".")}: ${issue?.message}`;
  return told(state, unparsed(line, reason, "opencode"));
}

function stepEvent(state: OpencodeState, event: OpencodeEvent): OpencodeStep {
  const { settings } = state;
  const isRoot = (sessionID: string) => sessionID === settings.nativeSessionId;
  switch (event.type) {
    case "message.part.delta":
      return partDelta(state, event.properties);
    case "message.part.updated":
      return partUpdated(state, event.properties.part);
    case "message.updated":
      return messageUpdated(state, event.properties);
    case "message.part.removed":
      return partRemoved(state, event.properties.partID);
    case "session.updated":
      return isRoot(event.properties.info.id) ? titleChanged(state, event.properties.info.title) : told(state);
    case "session.status":
      return statusChanged(state, event.properties.sessionID, event.properties.status);
    case "session.idle":
      return isRoot(event.properties.sessionID) ? becameIdle(state) : told(state);
    case "session.error": {
      const { sessionID, error = { name: "UnknownError" } } = event.properties;
      return isRoot(sessionID) ? failed(state, error) : told(state);
    }
    case "session.compacted": {
      const { sessionID } = event.properties;
      return statusItem(state, { id: `compacted_${state.nextItem}`, sessionID }, "compacted");
    }
    case "permission.asked":
      return permissionAsked(state, event.properties);
    case "question.asked":
      return questionAsked(state, event.properties);
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return requestSettled(state, event.properties.requestID);
    case "todo.updated": {
      // A list is told whole; a sub-agent's would take the place of the conversation's own.
      if (!isRoot(event.properties.sessionID)) return told(state);
      return told(state, { type: "plan.updated", data: { entries: planEntries(event.properties.todos) } });
    }
    case "daemon.refused":
      return callRefused(state, event.properties);
    case "daemon.reread":
      return reread(state, event.properties, stepEvent);
    // Of a sub-agent; whose it is decides who gets its lines.
    case "session.created":
    // Files were told by the calls that changed them and by patches; messages are taken back only by an undo of others.
    case "session.diff":
    case "message.removed":
    // Its last line; the end of the session is told by the end of the lines.
    case "session.deleted":
      return told(state);
  }
}

function stepCommand(before: OpencodeState, command: Command): OpencodeStep {
  const replies = [callOf(command, before.settings)];
  const { state, bodies } = commanded(before, command);
  return { state, bodies, replies };
}

function commanded(state: OpencodeState, command: Command): { state: OpencodeState; bodies: readonly Signal[] } {
  switch (command.type) {
    case "message":
      return told(turnBegun(state, command.messageId));
    case "steer":
      return told(turnSteered(state, command.messageId));
    case "permission":
    case "question":
      return told(withoutRequest(state, command.requestKey));
    case "interrupt":
      return told(turnInterrupted(state));
    case "update":
      return told({ ...state, settings: changed(state.settings, command) });
  }
}

function messageUpdated(state: OpencodeState, { info }: EventOf<"message.updated">): OpencodeStep {
  const roles = state.roles.has(info.id) ? state.roles : new Map(state.roles).set(info.id, info.role);
  const newestMessage = newerMessage(state.newestMessage, info.id);
  const next = { ...state, roles, newestMessage };
  if (info.sessionID !== state.settings.nativeSessionId) return told(next);
  if (info.role === "user") return roles === state.roles || isOld(state, info.id) ? told(next) : userHeard(next);
  return assistantUpdated(next, info);
}

/** The first one is ours. */
function titleChanged(state: OpencodeState, title: string | undefined): OpencodeStep {
  if (title === undefined || title === state.title) return told(state);
  const next = { ...state, title };
  return state.title === undefined ? told(next) : told(next, { type: "session.updated", data: { title } });
}

function callRefused(state: OpencodeState, { path, status, message }: EventOf<"daemon.refused">): OpencodeStep {
  const detail = `OpenCode answered ${status} to ${path}: ${message}`;
  const body: Signal = { type: "error", data: { code: "agent_error", message: detail, retryable: false } };
  if (!path.endsWith("/prompt_async")) return told(state, body);
  const end = refused(state, detail);
  return { ...end, bodies: [body, ...end.bodies] };
}
