import type { PrintModeEvent, PrintModeEventOf } from "@muster/codebuff-protocol";
import { untilAborted } from "@muster/core";
import type { CodebuffClientOptions, StreamChunk } from "../setup/options.ts";

type CallbackOptions = Pick<CodebuffClientOptions, "handleEvent" | "handleStreamChunk" | "logger">;

/**
 * The events of a run as `handleEvent` and `handleStreamChunk` get them: text in pieces to the one, each block whole to the
 * other. A callback that takes its time holds the run up, until the abort; what it throws never ends a run.
 */
export class Callbacks {
  readonly #options: CallbackOptions;
  readonly #signal: AbortSignal | undefined;
  /** Text that is not whole yet, by agent. */
  readonly #blocks = new Map<string | undefined, string>();
  readonly #agentTypes = new Map<string, string>();

  constructor(options: CallbackOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  async tell(event: PrintModeEvent): Promise<void> {
    if (event.type === "text") return this.#tellText(event);
    if (event.type === "subagent_start") this.#agentTypes.set(event.agentId, event.agentType);
    await this.#call(this.#options.handleEvent, event);
    if (event.type !== "reasoning_delta") return;
    const { runId: agentId, ancestorRunIds, text: chunk } = event;
    await this.#call(this.#options.handleStreamChunk, { type: "reasoning_chunk", agentId, ancestorRunIds, chunk });
  }

  async #tellText(event: PrintModeEventOf<"text">): Promise<void> {
    const { text, agentId } = event;
    const block = (this.#blocks.get(agentId) ?? "") + text;
    if (endsBlock(event)) {
      this.#blocks.delete(agentId);
      return this.#call(this.#options.handleEvent, { ...event, text: block });
    }
    this.#blocks.set(agentId, block);
    const agentType = this.#agentTypes.get(agentId ?? "") ?? "";
    const chunk: StreamChunk =
      agentId === undefined ? text : { type: "subagent_chunk", agentId, agentType, chunk: text };
    return this.#call(this.#options.handleStreamChunk, chunk);
  }

  async #call<Told>(callback: ((told: Told) => void | Promise<void>) | undefined, told: Told): Promise<void> {
    if (callback === undefined) return;
    try {
      const returned = callback(told);
      if (returned !== undefined) await untilAborted(returned, this.#signal);
    } catch (error) {
      if (this.#signal?.aborted && error === this.#signal.reason) return;
      this.#options.logger?.error({ error: String(error) }, "A callback failed");
    }
  }
}

/** An empty piece of text: the block of that agent is whole. */
export function endsBlock(event: PrintModeEvent): boolean {
  return event.type === "text" && event.text === "";
}
