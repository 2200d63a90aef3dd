import type { Chunk, Clock, Model, ModelRequest } from "../src/index.ts";

/** What a scripted answer does, one after the other. It finishes by itself unless the script says how it ends. */
export type Act =
  | Chunk
  | { readonly text: readonly string[] }
  | { readonly reasoning: readonly string[] }
  | { readonly tool: string; readonly args: unknown }
  /** Silence. */
  | { readonly wait: number }
  /** Silence without end: only the abort helps. */
  | { readonly hang: true }
  | { readonly cut: true }
  | { readonly throws: Error };

export type Script = readonly (readonly Act[])[] | ((index: number, request: ModelRequest) => readonly Act[]);

export interface ScriptedOptions {
  readonly clock: Clock;
  readonly window?: number;
  readonly countTokens?: Model["countTokens"];
  /** Millicredits per answer. */
  readonly cost?: number;
}

/** A model in memory that follows a script. An answer beyond its end repeats the last one. */
export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly countTokens?: NonNullable<Model["countTokens"]>;
  /** Streams that are open now. */
  open = 0;
  readonly #script: Script;
  readonly #options: ScriptedOptions;

  constructor(script: Script, options: ScriptedOptions) {
    this.#script = script;
    this.#options = options;
    if (options.countTokens !== undefined) this.countTokens = options.countTokens;
  }

  contextWindow(): number {
    return this.#options.window ?? 200_000;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Chunk> {
    const index = this.requests.length;
    this.requests.push(request);
    const script = this.#script;
    const acts = typeof script === "function" ? script(index, request) : (script[index] ?? script.at(-1) ?? []);
    this.open++;
    try {
      yield* this.#play(acts, index, signal);
    } finally {
      this.open--;
    }
  }

  async *#play(acts: readonly Act[], index: number, signal: AbortSignal): AsyncGenerator<Chunk> {
    const { clock, cost = 2_000 } = this.#options;
    let hasCalls = false;
    for (const act of acts) {
      if (signal.aborted) return;
      if ("type" in act) {
        hasCalls ||= act.type === "tool-call";
        yield act;
        if (act.type === "finish" || act.type === "error") return;
      } else if ("text" in act) {
        for (const text of act.text) yield { type: "text-delta", text };
      } else if ("reasoning" in act) {
        for (const text of act.reasoning) yield { type: "reasoning-delta", text };
      } else if ("tool" in act) {
        hasCalls = true;
        yield { type: "tool-call", toolName: act.tool, input: rawOf(act.args) };
      } else if ("wait" in act) {
        await clock.sleep(act.wait, signal);
      } else if ("hang" in act) {
        await new Promise(() => undefined);
      } else if ("throws" in act) {
        throw act.throws;
      } else {
        return;
      }
    }
    yield finished({ reason: hasCalls ? "tool-calls" : "stop", messageId: `gen-${index + 1}`, cost });
  }
}

export function finished(how: { reason: "stop" | "tool-calls" | "length"; messageId?: string; cost?: number }): Chunk {
  const { reason, messageId, cost = 2_000 } = how;
  const usage = { inputTokens: 100, outputTokens: 20 };
  return { type: "finish", reason, messageId, usage, cost: { millicredits: cost, known: true } };
}

function rawOf(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
