import type { SecondEvent } from "../wire/second.ts";
import { callMetadata, contentText, errorOf, permissionOf, questionOf, textPart, toolPart } from "./second-parts.ts";

/** What was heard of OpenCode 2 and is needed to tell later lines in version 1's words; forgotten with each turn. */
export interface Heard {
  /** Calls by `<message>/<id>`: later lines have no name, and a permission no input. */
  readonly calls: ReadonlyMap<string, { name: string; input?: unknown }>;
  /** How often a message was begun: a retry tells its texts anew under the same numbers. */
  readonly rounds: ReadonlyMap<string, number>;
  /** What was put into the inbox and is no person's message. */
  readonly asides: ReadonlySet<string>;
  /** What a call waits for, by the call: version 2 says nothing of a request whose call was stopped. */
  readonly asked: ReadonlyMap<string, string>;
}

export const nothingHeard: Heard = { calls: new Map(), rounds: new Map(), asides: new Set(), asked: new Map() };

type Line = { type: string; properties: Record<string, unknown> };
interface Told {
  heard: Heard;
  lines: readonly Line[];
}

/** A line of OpenCode 2 as the lines version 1 would have said. Pure. */
export function inFirstWords(
  heard: Heard,
  { type, created, data }: SecondEvent,
  { root, directory }: { root: string; directory: string },
): Told {
  const say = (...lines: Line[]): Told => ({ heard, lines });
  const part = (piece: object) => line("message.part.updated", { part: piece });
  switch (type) {
    case "session.created": {
      const { sessionID: id, parentID, title } = data;
      return say(line("session.created", { info: { id, parentID, title } }));
    }
    case "session.deleted":
      return say(line("session.deleted", { info: { id: data.sessionID } }));
    case "session.renamed":
      return say(line("session.updated", { info: { id: data.sessionID, title: data.title } }));
    case "session.inbox.enqueued": {
      if (data.item.type === "user") return say();
      return { heard: { ...heard, asides: new Set(heard.asides).add(data.inboxID) }, lines: [] };
    }
    case "session.inbox.delivered":
      return heard.asides.has(data.inboxID) ? say() : say(message(data.inboxID, "user", data.sessionID, { created }));
    case "session.execution.started":
      return say(line("session.status", { sessionID: data.sessionID, status: { type: "busy" } }));
    case "session.execution.succeeded":
      return over(heard, data.sessionID, root, []);
    case "session.execution.failed":
    case "session.execution.interrupted": {
      const error =
        type === "session.execution.failed" ? errorOf(data.error) : { name: "MessageAbortedError", data: {} };
      const { sessionID } = data;
      // The end of a message behind the error: nothing of the turn comes after this line.
      const end = message(`end/${sessionID}`, "assistant", sessionID, { created, completed: created });
      return over(heard, sessionID, root, [line("session.error", { sessionID, error }), end]);
    }
    case "session.step.started": {
      const { sessionID, assistantMessageID: id } = data;
      const rounds = new Map(heard.rounds).set(id, roundOf(heard, id, 0) + 1);
      return { heard: { ...heard, rounds }, lines: [message(id, "assistant", sessionID, { created })] };
    }
    case "session.step.ended": {
      const { sessionID, assistantMessageID: messageID, finish, cost, tokens, files = [] } = data;
      const ids = { sessionID, messageID };
      const patch = { ...ids, id: `${messageID}/patch`, type: "patch", files };
      return say(
        part({ ...ids, id: stepId(heard, messageID), type: "step-finish", reason: finish, cost, tokens }),
        ...(files.length > 0 ? [part(patch)] : []),
        message(messageID, "assistant", sessionID, { created, completed: created }),
      );
    }
    case "session.step.failed": {
      // Why is told by the end of the execution, which follows; here is what it had cost.
      const { sessionID, assistantMessageID: messageID, cost = 0, tokens } = data;
      if (tokens === undefined) return say();
      return say(part({ sessionID, messageID, id: stepId(heard, messageID), type: "step-finish", cost, tokens }));
    }
    case "session.text.started":
    case "session.reasoning.started":
      return say(part(textPart(kindOf(type), place(heard, data), "", { start: created })));
    case "session.text.delta":
    case "session.reasoning.delta": {
      const { sessionID, messageID, id: partID } = textPart(kindOf(type), place(heard, data), "", { start: created });
      return say(line("message.part.delta", { sessionID, messageID, partID, field: "text", delta: data.delta }));
    }
    case "session.text.ended":
    case "session.reasoning.ended":
      return say(part(textPart(kindOf(type), place(heard, data), data.text, { start: created, end: created })));
    case "session.tool.input.started": {
      const next = withCall(heard, data, { name: data.name });
      return { heard: next, lines: [part(toolPart(callOf(next, data), { status: "pending" }))] };
    }
    case "session.tool.called": {
      const next = withCall(heard, data, { name: callOf(heard, data).name, input: data.input });
      return { heard: next, lines: [part(toolPart(callOf(next, data), { status: "running", input: data.input }))] };
    }
    case "session.tool.progress": {
      const { input, ...call } = callOf(heard, data);
      return say(part(toolPart(call, { status: "running", input, metadata: callMetadata(data.metadata) })));
    }
    case "session.tool.success": {
      const { input, ...call } = callOf(heard, data);
      const ended = { output: contentText(data.content), metadata: callMetadata(data.metadata) };
      return settled(heard, data, part(toolPart(call, { status: "completed", input, ...ended })));
    }
    case "session.tool.failed": {
      const { input, ...call } = callOf(heard, data);
      const wasStopped = data.error.type === "aborted" || data.error.type === "permission.rejected";
      const metadata = { ...callMetadata(data.metadata), ...(wasStopped ? { interrupted: true } : {}) };
      const error = [contentText(data.content), data.error.message].filter((text) => text !== "").join("\n");
      return settled(heard, data, part(toolPart(call, { status: "error", input, error, metadata })));
    }
    case "session.retry.scheduled": {
      // It counts the attempt that comes, version 1 the retries.
      const { sessionID, attempt, at, error } = data;
      const message = error.status === undefined ? error.message : `${error.message} (${error.status})`;
      const status = { type: "retry", attempt: attempt - 1, message, next: at };
      return say(line("session.status", { sessionID, status }));
    }
    case "session.compaction.started": {
      const { sessionID } = data;
      const id = `compaction/${created}`;
      return say(part({ id, sessionID, messageID: id, type: "compaction", auto: data.reason === "auto" }));
    }
    case "session.compaction.ended":
      return say(line("session.compacted", { sessionID: data.sessionID }));
    // Compacting is tried again or given up; what follows tells which.
    case "session.compaction.failed":
      return say();
    case "permission.asked": {
      const { source } = data;
      const input = source && heard.calls.get(`${source.messageID}/${source.id}`)?.input;
      const asked = line("permission.asked", { ...permissionOf(data, directory, input) });
      return { heard: withRequest(heard, source, data.id), lines: [asked] };
    }
    case "permission.replied":
      return say(line("permission.replied", { sessionID: data.sessionID, requestID: data.requestID }));
    case "form.created": {
      const { form } = data;
      const lines = [line("question.asked", { ...questionOf(form) })];
      return { heard: withRequest(heard, form.metadata?.tool, form.id), lines };
    }
    case "form.replied":
    case "form.cancelled":
      return say(line("question.replied", { sessionID: root, requestID: data.id }));
  }
}

function withRequest(heard: Heard, of: { messageID: string; id: string } | undefined, requestID: string): Heard {
  if (of === undefined) return heard;
  return { ...heard, asked: new Map(heard.asked).set(`${of.messageID}/${of.id}`, requestID) };
}

/** The end of a call; what it still waited for is withdrawn. A request that was answered is not known there any more. */
function settled(heard: Heard, { sessionID, assistantMessageID, id }: InMessage & { id: string }, end: Line): Told {
  const requestID = heard.asked.get(`${assistantMessageID}/${id}`);
  if (requestID === undefined) return { heard, lines: [end] };
  return { heard, lines: [line("permission.replied", { sessionID, requestID }), end] };
}

function line(type: string, properties: Record<string, unknown>): Line {
  return { type, properties };
}

function message(id: string, role: string, sessionID: string, time: { created: number; completed?: number }): Line {
  return line("message.updated", { info: { id, sessionID, role, time } });
}

/** The end of an execution: with the conversation's own everything that was remembered is done with. */
function over(heard: Heard, sessionID: string, root: string, before: readonly Line[]): Told {
  const lines = [...before, line("session.idle", { sessionID })];
  return { heard: sessionID === root ? nothingHeard : heard, lines };
}

function kindOf(type: string): "text" | "reasoning" {
  return type.startsWith("session.text.") ? "text" : "reasoning";
}

type InMessage = { sessionID: string; assistantMessageID: string };

function place(heard: Heard, { sessionID, assistantMessageID: messageID, ordinal }: InMessage & { ordinal: number }) {
  return { sessionID, messageID, ordinal, round: roundOf(heard, messageID, 1) };
}

function roundOf({ rounds }: Heard, messageID: string, otherwise: number): number {
  return rounds.get(messageID) ?? otherwise;
}

function stepId(heard: Heard, messageID: string): string {
  return `${messageID}/step/${roundOf(heard, messageID, 1)}`;
}

function withCall(
  heard: Heard,
  { assistantMessageID, id }: InMessage & { id: string },
  call: { name: string; input?: unknown },
): Heard {
  return { ...heard, calls: new Map(heard.calls).set(`${assistantMessageID}/${id}`, call) };
}

/** A call whose beginning was not heard has no name any more. */
function callOf(heard: Heard, { sessionID, assistantMessageID: messageID, id }: InMessage & { id: string }) {
  const { name = "tool", input } = heard.calls.get(`${messageID}/${id}`) ?? {};
  return { sessionID, messageID, id, name, input };
}
