import type { ModelCall, TracedResult, TracedTurn, TracedWait, TurnTrace } from "@muster/engine";
import type { Item } from "@muster/schema";
import type { Tracing } from "@muster/telemetry";
import { inputMessages, outputMessages, textOf, toolCallOf } from "./content.ts";
import { startModelSpan } from "./model-span.ts";
import type { SessionTracerOptions } from "./session-tracer.ts";
import { type Context, endSpan, type Span } from "./span.ts";
import { usageAttributes } from "./usage-attributes.ts";

/** The spans of one turn. Its own is a client's: the agent is a program beside the daemon. */
export class TurnSpans implements TurnTrace {
  readonly #tracing: Tracing;
  readonly #turn: TracedTurn;
  readonly #recordsContent: boolean;
  readonly #span: Span;
  /** Tools at work, by item; what happens in them is below them. */
  readonly #tools = new Map<string, Span>();
  /** Tools that have ended and whose result is still to come, by call. Only where content is recorded. */
  readonly #unanswered = new Map<string, (result?: string) => void>();
  readonly #said: string[] = [];
  #isOver = false;

  constructor(tracing: Tracing, turn: TracedTurn, { recordsContent }: SessionTracerOptions) {
    this.#tracing = tracing;
    this.#turn = turn;
    this.#recordsContent = recordsContent;
    const { agent, agentVersion, model, provider, turnId, origin, message, parent } = turn;
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      // An agent of its own maker that speaks to several has no better name.
      "gen_ai.provider.name": provider ?? agent,
      ...this.#aboutSession(),
      "gen_ai.agent.version": agentVersion,
      "gen_ai.request.model": model,
      "gen_ai.input.messages": recordsContent && message !== undefined ? inputMessages(message) : undefined,
      "muster.turn.id": turnId,
      "muster.turn.origin": origin,
    };
    const options = { kind: tracing.SpanKind.CLIENT, attributes };
    this.#span = tracing.tracer.startSpan(`invoke_agent ${agent}`, options, tracing.contextOf(parent));
  }

  startTool(item: Item): (ended: Item) => void {
    const { name, callId, toolKind } = toolCallOf(item);
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": callId,
      ...this.#aboutSession(),
      "muster.tool.kind": toolKind,
    };
    const span = this.#start(`execute_tool ${name}`, attributes, item.parentId);
    this.#tools.set(item.itemId, span);
    return (ended) => {
      this.#tools.delete(item.itemId);
      this.#endTool(span, callId, ended);
    };
  }

  addToolResult({ content }: Item): void {
    for (const part of content) if (part.type === "tool_result") this.#unanswered.get(part.callId)?.(part.output);
  }

  addOutput(item: Item): void {
    if (this.#recordsContent) this.#said.push(textOf(item));
  }

  startWait({ kind, requestId, itemId }: TracedWait): (outcome: string) => void {
    const about = { "muster.request.kind": kind, "muster.request.id": requestId };
    const span = this.#start(`await_${kind}`, { ...this.#aboutSession(), ...about }, itemId);
    return (outcome) => endSpan(this.#tracing, span, { attributes: { "muster.request.outcome": outcome } });
  }

  startModelCall(call: ModelCall): ReturnType<TurnTrace["startModelCall"]> {
    const { sessionId, agent } = this.#turn;
    return startModelSpan(this.#tracing, { call, sessionId, agent }, this.#below(undefined));
  }

  /** A turn that somebody interrupted is no error. */
  end({ status, cause, usage, costUsd }: TracedResult): void {
    this.#isOver = true;
    for (const end of [...this.#unanswered.values()]) end();
    endSpan(this.#tracing, this.#span, {
      attributes: {
        "muster.turn.status": status,
        "muster.turn.cause": cause,
        "gen_ai.output.messages": this.#said.length > 0 ? outputMessages(this.#said, status) : undefined,
        ...usageAttributes(usage, costUsd),
      },
      error: status === "failed" ? (cause ?? "_OTHER") : undefined,
    });
  }

  /** The arguments are known when the call has ended: an agent may write them piece by piece. Its result comes after that. */
  #endTool(span: Span, callId: string, ended: Item): void {
    const at = Date.now();
    const error = ended.status === "failed" ? "tool_failed" : undefined;
    const attributes = { "muster.tool.status": ended.status };
    if (!this.#recordsContent) return endSpan(this.#tracing, span, { attributes, error, at });
    span.setAttribute("gen_ai.tool.call.arguments", JSON.stringify(toolCallOf(ended).input ?? null));
    const end = (result?: string) => {
      this.#unanswered.delete(callId);
      endSpan(this.#tracing, span, { attributes: { ...attributes, "gen_ai.tool.call.result": result }, error, at });
    };
    if (this.#isOver) end();
    else this.#unanswered.set(callId, end);
  }

  #start(name: string, attributes: Record<string, string>, itemId: string | undefined): Span {
    return this.#tracing.tracer.startSpan(name, { attributes }, this.#below(itemId));
  }

  #below(itemId: string | undefined): Context {
    return this.#tracing.below(this.#tools.get(itemId ?? "") ?? this.#span);
  }

  #aboutSession() {
    return { "gen_ai.agent.name": this.#turn.agent, "gen_ai.conversation.id": this.#turn.sessionId };
  }
}
