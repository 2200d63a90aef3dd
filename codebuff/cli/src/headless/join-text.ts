import type { PrintModeEvent } from "@muster/codebuff-protocol";

/** Leaves out what streams and gives each block of an agent's text as one event, before what the agent does next. */
export class TextJoiner {
  readonly #blocks = new Map<string | undefined, string>();

  take(event: PrintModeEvent): PrintModeEvent[] {
    switch (event.type) {
      case "text":
        this.#blocks.set(event.agentId, (this.#blocks.get(event.agentId) ?? "") + event.text);
        return [];
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
    const text = this.#blocks.get(agentId);
    this.#blocks.delete(agentId);
    return text === undefined || text === "" ? [] : [{ type: "text", text, agentId }];
  }
}
