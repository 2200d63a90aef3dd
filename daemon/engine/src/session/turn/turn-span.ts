import type { Body, EventBody, Item } from "@muster/schema";
import type { Fold } from "../../fold.ts";
import type {
  ModelCall,
  ModelCallEnd,
  SessionTracer,
  TraceContext,
  TracedResult,
  TracedWait,
  TurnTrace,
} from "../../tracing.ts";

interface TracedSession {
  sessionId: string;
  agent: string;
  provider?: string;
}

/** The open turn as a span of the tracer, where there is one, and what happens in it as spans below. */
export class TurnSpan {
  readonly #tracer: SessionTracer | undefined;
  readonly #session: TracedSession;
  /** Messages that wait, each with the trace of the request that sent it. In memory only: a restart begins new traces. */
  readonly #awaited = new Map<string, { parent: TraceContext | undefined; message: string }>();
  readonly #tools = new Map<string, (ended: Item) => void>();
  readonly #waits = new Map<string, (outcome: string) => void>();
  #trace: TurnTrace | undefined;

  constructor(tracer: SessionTracer | undefined, session: TracedSession) {
    this.#tracer = tracer;
    this.#session = session;
  }

  /** A message was accepted: the turn it begins goes on with the trace of its request. */
  expect(messageId: string, message: string, parent: TraceContext | undefined): void {
    if (this.#tracer !== undefined) this.#awaited.set(messageId, { parent, message });
  }

  /** Called with each event that was folded, but not with deltas. */
  follow(body: EventBody, { settings }: Fold): void {
    if (this.#tracer === undefined) return;
    switch (body.type) {
      case "turn.started":
        return this.#start(body.data, settings);
      case "turn.ended":
        return this.#end(body.data);
      case "item.started":
        return this.#startItem(body.data.item);
      case "item.completed":
        return this.#endItem(body.data.item);
      case "question.requested":
        return this.#startWait({ kind: "question", requestId: body.data.questionId, itemId: body.data.itemId });
      case "permission.requested":
        return this.#startWait({ kind: "permission", requestId: body.data.permissionId, itemId: body.data.itemId });
      case "question.resolved":
        return this.#endWait(body.data.questionId, body.data.status);
      case "permission.resolved":
        return this.#endWait(body.data.permissionId, body.data.decision);
      case "message.updated":
        // One that was given has begun its turn by the event that follows.
        if (["joined", "cancelled", "failed"].includes(body.data.status)) this.#awaited.delete(body.data.messageId);
        return;
    }
  }

  /** A call to a model: in the open turn, or alone. Returns what is to be told of its end. */
  startModelCall(call: ModelCall): (end: ModelCallEnd) => void {
    return (this.#trace ?? this.#alone())?.startModelCall(call) ?? (() => {});
  }

  #alone(): Pick<TurnTrace, "startModelCall"> | undefined {
    const tracer = this.#tracer;
    return tracer && { startModelCall: (call) => tracer.startModelCall(call, this.#session) };
  }

  #start({ turnId, origin, messageIds }: Body<"turn.started">["data"], settings: Fold["settings"]): void {
    const [first = ""] = messageIds;
    const { parent, message } = this.#awaited.get(first) ?? {};
    for (const messageId of messageIds) this.#awaited.delete(messageId);
    const { model, agentVersion } = settings;
    this.#trace = this.#tracer?.startTurn({ ...this.#session, model, agentVersion, turnId, origin, message, parent });
  }

  /** Requests and items were closed before it, but for tools in the background: their spans outlive the turn's. */
  #end(result: TracedResult): void {
    this.#trace?.end(result);
    this.#trace = undefined;
  }

  #startItem(item: Item): void {
    if (item.kind !== "tool_call" || this.#trace === undefined) return;
    this.#tools.set(item.itemId, this.#trace.startTool(item));
  }

  #endItem(item: Item): void {
    if (item.kind === "tool_result") return this.#trace?.addToolResult(item);
    if (item.kind === "message" && item.role === "assistant") return this.#trace?.addOutput(item);
    this.#tools.get(item.itemId)?.(item);
    this.#tools.delete(item.itemId);
  }

  #startWait(wait: TracedWait): void {
    if (this.#trace !== undefined) this.#waits.set(wait.requestId, this.#trace.startWait(wait));
  }

  #endWait(requestId: string, outcome: string): void {
    this.#waits.get(requestId)?.(outcome);
    this.#waits.delete(requestId);
  }
}
