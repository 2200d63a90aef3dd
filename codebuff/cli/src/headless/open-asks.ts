import type { PrintModeEvent, ToolOutput } from "@muster/codebuff-protocol";
import type { Ask } from "@muster/codebuff-sdk";

interface OpenAsk {
  readonly ask: Ask;
  readonly settle: (value: unknown) => void;
}

/** Questions, permissions and plans that wait for an answer on the control channel. */
export class OpenAsks {
  readonly #open = new Map<string, OpenAsk>();
  /** Asked in an event, and not waited for yet: a reader may be faster with its answer than the tool with its question. */
  readonly #announced = new Map<string, { value: unknown } | undefined>();
  #isListening: boolean;

  /** Without a channel nobody can answer: whatever is asked is skipped at once. */
  constructor({ isListening }: { isListening: boolean }) {
    this.#isListening = isListening;
  }

  /** To be called with every event before it is written. */
  announce(event: PrintModeEvent): void {
    if (event.type === "tool_call" && event.toolName === "ask_user" && !this.#open.has(event.toolCallId)) {
      this.#announced.set(event.toolCallId, undefined);
    }
    if (event.type === "tool_result") this.#announced.delete(event.toolCallId);
    if (event.type === "finish") this.#announced.clear();
  }

  readonly ask = (ask: Ask): Promise<unknown> => {
    const early = this.#announced.get(ask.toolCallId);
    this.#announced.delete(ask.toolCallId);
    if (early !== undefined) return Promise.resolve(early.value);
    if (!this.#isListening || ask.signal.aborted) return Promise.resolve(answerOfNobody(ask));
    return new Promise((resolve) => {
      const settle = (value: unknown) => {
        this.#open.delete(ask.toolCallId);
        resolve(value);
      };
      this.#open.set(ask.toolCallId, { ask, settle });
      ask.signal.addEventListener("abort", () => settle(answerOfNobody(ask)), { once: true });
    });
  };

  /** False when nothing with that id is open: it was answered, cancelled, or never asked. */
  answer(toolCallId: string, output: ToolOutput): boolean {
    const open = this.#open.get(toolCallId);
    const part = output.find(({ type }) => type === "json");
    const value = part?.type === "json" ? part.value : { skipped: true };
    if (open === undefined) return this.#keepEarly(toolCallId, value);
    open.settle(value);
    return true;
  }

  #keepEarly(toolCallId: string, value: unknown): boolean {
    if (!this.#announced.has(toolCallId) || this.#announced.get(toolCallId) !== undefined) return false;
    this.#announced.set(toolCallId, { value });
    return true;
  }

  /** The channel is closed: nobody will answer any more. */
  stopListening(): void {
    this.#isListening = false;
    for (const { ask, settle } of this.#open.values()) settle(answerOfNobody(ask));
  }
}

function answerOfNobody({ permission }: Ask): unknown {
  if (permission === undefined) return { skipped: true };
  return { decision: "deny", message: "Nobody is there to allow it; --permissions decides beforehand" };
}
