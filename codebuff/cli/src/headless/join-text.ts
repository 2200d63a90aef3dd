import type { PrintModeEvent, PrintModeEventOf } from "@muster/codebuff-protocol";

/** Leaves out what streams and gives each block of an agent's text as one event, before what the agent does next. */
export class TextJoiner {
  /** Each with everything its first piece said beside its text, such as the session. */
  readonly #blocks = new Map<string | undefined, PrintModeEventOf<"text">>();

  take(event: PrintModeEvent): PrintModeEvent[] {
    switch (event.type) {
      case "text": {
        const block = this.#blocks.get(event.agentId);
        this.#blocks.set(event.agentId, { ...event, ...block, text: (block?.text ?? "") + event.text });
        return [];
      }
      case "reasoning_delta":
      case "tool_progress":
        return [];
      case "tool_call":
        return [...this.#flush(event.parentAgentId ?? event.agentId), ...this.#flush(undefined), event];
      case "subagent_finish":
        return [...this.#flush(event.agentId), event];
      case "finish":
        return [...[...this.#blocks.keys()].flatMap((agentId) => this.#flush(agentId)), event];
      case "start":
      case "tool_result":
      case "subagent_start":
      case "error":
      case "download":
        return [event];
    }
  }

  #flush(agentId: string | undefined): PrintModeEvent[] {
    const block = this.#blocks.get(agentId);
    this.#blocks.delete(agentId);
    return block === undefined || block.text === "" ? [] : [block];
  }
}
