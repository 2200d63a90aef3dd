import { messageOf } from "@muster/core";
import { anthropic } from "./protocols/anthropic.ts";
import { chatCompletions } from "./protocols/chat-completions.ts";
import { gemini } from "./protocols/gemini.ts";
import { responses } from "./protocols/openai-responses.ts";
import { type Reply, replyTo } from "./protocols/reply.ts";
import type { Wire } from "./protocols/wire.ts";
import type { Outcome } from "./record/recorder.ts";
import type { ModelRequest, ProtocolName } from "./request/model-request.ts";
import type { Conversations, Served } from "./script/conversation.ts";
import { applyFault, breaksReply, type Delivery, type Fault, type Piece } from "./script/faults.ts";
import { mismatches } from "./script/match.ts";
import { type RawReply, type Script, Turn, type TurnFunction } from "./script/script.ts";
import { scriptError } from "./script/script-error.ts";

export const wires: Record<ProtocolName, Wire> = { anthropic, chat: chatCompletions, responses, gemini };

/** Everything the server needs to answer and to write down what it did. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly delivery: Delivery;
  readonly outcome: Outcome;
  readonly conversation: string | undefined;
  readonly turn: number | undefined;
  /** What the script asserted and did not find, and what it could not answer. */
  readonly complaints: readonly string[];
  settle(wasDelivered: boolean): void;
}

/** The script's answer to one model request. */
export function answer(script: Script, conversations: Conversations, request: ModelRequest, id: string): Answer {
  const served = conversations.answer(request);
  if ("reason" in served) {
    return { ...refusal(request, served.reason, id), conversation: undefined, turn: undefined, settle: () => {} };
  }
  const at = { conversation: served.conversation, turn: served.turnNumber };
  try {
    const turn = turnOf(served.turn, request, at.conversation, at.turn);
    const said = say(turn, served, script, request, id);
    const canBeKept = !breaksReply(turn.fault) && said.status < 400 && said.delivery.end === "finish";
    const settle = (wasDelivered: boolean) => served.settle(wasDelivered && canBeKept);
    const unmet = turn.expect === undefined ? [] : mismatches(turn.expect, request);
    const complaints = unmet.map(({ field, wanted, found }) => `expected ${field} "${wanted}", found "${found}"`);
    return { ...said, ...at, complaints: [...complaints, ...said.complaints], settle };
  } catch (error) {
    // A turn written as a function may throw or return nonsense: the run must see that, not hang.
    const message = messageOf(error);
    return { ...refusal(request, message, id), ...at, settle: () => served.settle(false) };
  }
}

type Said = Omit<Answer, "conversation" | "turn" | "settle">;

function turnOf(turn: Turn | TurnFunction, request: ModelRequest, conversation: string, number: number): Turn {
  if (typeof turn !== "function") return turn;
  const checked = Turn.safeParse(turn(request));
  if (!checked.success) throw scriptError(`${conversation}, turn ${number} (function)`, checked.error);
  return checked.data;
}

function say(turn: Turn, served: Served, script: Script, request: ModelRequest, id: string): Said {
  if (turn.recorded !== undefined) return raw(turn.recorded);
  if (turn.fault?.kind === "status") return statusFault(turn.fault, request, id);
  const agent = script.agent ?? request.agent;
  const reply = replyTo(turn, { request, place: served.place, agent, pace: script.pace });
  if ("problem" in reply) return refusal(request, reply.problem, id);
  const wire = wires[request.protocol];
  const delivery = applyFault(piecesOf(reply, request), turn.fault);
  const outcome = breaksReply(turn.fault) ? "fault" : "replied";
  return { status: 200, headers: headersFor(wire, request, id), delivery, outcome, complaints: [] };
}

/** A fixed reply, byte for byte. */
export function raw(reply: RawReply): Said {
  const pieces = [{ bytes: Buffer.from(reply.body, reply.encoding), delayMs: 0 }];
  const delivery: Delivery = { pieces, end: reply.cut ? "cut" : "finish" };
  return { status: reply.status, headers: reply.headers, delivery, outcome: "replied", complaints: [] };
}

function statusFault(fault: Fault & { kind: "status" }, request: ModelRequest, id: string): Said {
  const wire = wires[request.protocol];
  const { status, code } = fault;
  const message = fault.message ?? `Scripted status ${status}`;
  const body = fault.body ?? wire.problem({ status, message, code, requestId: id });
  const retry: Record<string, string> =
    fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  const headers = { ...jsonHeaders(wire, id), ...retry, ...fault.headers };
  return { status, headers, delivery: wholeBody(body), outcome: "fault", complaints: [] };
}

/** 400, because every agent takes that as final: a hole in a script must not turn into minutes of retries. */
function refusal(request: ModelRequest, reason: string, id: string): Said {
  const wire = wires[request.protocol];
  const message = `scripted-llm: ${reason}`;
  const body = wire.problem({ status: 400, message, requestId: id });
  const headers = jsonHeaders(wire, id);
  return { status: 400, headers, delivery: wholeBody(body), outcome: "unanswered", complaints: [reason] };
}

function piecesOf(reply: Reply, request: ModelRequest): Piece[] {
  const wire = wires[request.protocol];
  if (!request.stream) return [{ bytes: Buffer.from(JSON.stringify(wire.whole(reply, request))), delayMs: 0 }];
  return wire.stream(reply, request).map(({ text, delayMs }) => ({ bytes: Buffer.from(text), delayMs }));
}

function headersFor(wire: Wire, request: ModelRequest, id: string): Record<string, string> {
  if (!request.stream) return jsonHeaders(wire, id);
  return {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    [wire.requestIdHeader]: id,
  };
}

function jsonHeaders(wire: Wire, id: string): Record<string, string> {
  return { "content-type": "application/json", [wire.requestIdHeader]: id };
}

function wholeBody(body: unknown): Delivery {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return { pieces: [{ bytes, delayMs: 0 }], end: "finish" };
}
