import type { ToolOutput } from "@muster/codebuff-protocol";
import type { Ask } from "@muster/codebuff-sdk";

interface OpenAsk {
  readonly ask: Ask;
  readonly settle: (value: unknown) => void;
}

/** Questions, permissions and plans that wait for an answer on the control channel. */
export class OpenAsks {
  readonly #open = new Map<string, OpenAsk>();
  #isListening: boolean;

  /** Without a channel nobody can answer: whatever is asked is skipped at once. */
  constructor({ isListening }: { isListening: boolean }) {
    this.#isListening = isListening;
  }

  readonly ask = (ask: Ask): Promise<unknown> => {
    if (!this.#isListening || ask.signal.aborted) return Promise.resolve(unanswered(ask));
    return new Promise((resolve) => {
      const settle = (value: unknown) => {
        this.#open.delete(ask.toolCallId);
        resolve(value);
      };
      this.#open.set(ask.toolCallId, { ask, settle });
      ask.signal.addEventListener("abort", () => settle(unanswered(ask)), { once: true });
    });
  };

  /** False when nothing with that id is open: it was answered, cancelled, or never asked. */
  answer(toolCallId: string, output: ToolOutput): boolean {
    const open = this.#open.get(toolCallId);
    const part = output.find(({ type }) => type === "json");
    open?.settle(part?.type === "json" ? part.value : { skipped: true });
    return open !== undefined;
  }

  /** The channel is closed: nobody will answer any more. */
  stopListening(): void {
    this.#isListening = false;
    for (const { ask, settle } of this.#open.values()) settle(unanswered(ask));
  }
}

function unanswered({ permission }: Ask): unknown {
  if (permission === undefined) return { skipped: true };
  return { decision: "deny", message: "Nobody is there to allow it; --permissions decides beforehand" };
}
