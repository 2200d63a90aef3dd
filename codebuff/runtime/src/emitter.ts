import type { PrintModeEvent, PrintModeEventOf, ToolCall, ToolOutput } from "@muster/codebuff-protocol";
import type { ActionStream } from "./action-stream.ts";
import type { MarkedCall } from "./ports.ts";

export interface Speaker {
  readonly agentId: string;
  readonly agentType: string;
  readonly isRoot: boolean;
  readonly runId: string;
  readonly ancestorRunIds: readonly string[];
  /** Called before the first thing said; an inline agent is announced only if it says something. */
  readonly beforeFirst?: () => void;
}

export interface CallMarks {
  readonly includeToolCall: boolean;
  readonly repaired?: readonly string[];
}

/** What one agent says, as the actions and events of the contract. */
export class Emitter {
  readonly #actions: Pick<ActionStream, "send">;
  readonly #speaker: Speaker;
  #hasSpoken = false;

  constructor(actions: Pick<ActionStream, "send">, speaker: Speaker) {
    this.#actions = actions;
    this.#speaker = speaker;
  }

  /** A piece of text as it streams. */
  chunk(chunk: string): void {
    const { agentId, agentType, isRoot } = this.#speaker;
    this.#announce();
    if (isRoot) this.#actions.send({ type: "response-chunk", chunk });
    else this.#actions.send({ type: "subagent-response-chunk", agentId, agentType, chunk });
  }

  /** The pieces since the last end are one block of text. */
  endBlock(): void {
    this.chunk("");
  }

  /** A block of text that did not stream. */
  say(text: string): void {
    this.chunk(text);
    this.endBlock();
  }

  reasoning(text: string): void {
    const { agentId, runId, ancestorRunIds } = this.#speaker;
    this.event({ type: "reasoning_delta", text, runId, ancestorRunIds: [...ancestorRunIds], agentId });
  }

  toolCall(call: MarkedCall, { includeToolCall, repaired }: CallMarks): void {
    const { toolCallId, toolName, input, plan } = call;
    const event: PrintModeEventOf<"tool_call"> = { type: "tool_call", toolCallId, toolName, input, ...this.#owner() };
    event.includeToolCall = includeToolCall;
    if (repaired !== undefined && repaired.length > 0) event.repaired = [...repaired];
    if (plan !== undefined) event.plan = plan;
    this.event(event);
  }

  toolProgress({ toolCallId, toolName }: ToolCall, output: string): void {
    this.event({ type: "tool_progress", toolCallId, toolName, output, ...this.#owner() });
  }

  toolResult({ toolCallId, toolName }: ToolCall, output: ToolOutput, durationMs?: number): void {
    const time = durationMs === undefined ? {} : { durationMs };
    this.event({ type: "tool_result", toolCallId, toolName, output, ...time, ...this.#owner() });
  }

  /** Something went wrong and the run goes on. */
  warn(code: string, message: string, more: Record<string, unknown> = {}): void {
    this.event({ type: "error", message, code, fatal: false, agentId: this.#speaker.agentId, ...more });
  }

  event(event: PrintModeEvent): void {
    this.#announce();
    this.#actions.send({ type: "response-chunk", chunk: event });
  }

  #announce(): void {
    if (this.#hasSpoken) return;
    this.#hasSpoken = true;
    this.#speaker.beforeFirst?.();
  }

  /** A child's tool events name the child twice, as the original does. */
  #owner(): { agentId: string; parentAgentId?: string } {
    const { agentId, isRoot } = this.#speaker;
    return isRoot ? { agentId } : { agentId, parentAgentId: agentId };
  }
}
