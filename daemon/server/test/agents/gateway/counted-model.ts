import type { WireUsage } from "@muster/schema";
import type { ScriptInput } from "@muster/scripted-llm";

/** A turn of a script, written or told by a function. */
export type Turn = NonNullable<ScriptInput["conversations"][number]["turns"]>[number];
export type WrittenTurn = Exclude<Turn, (...request: never[]) => unknown>;

type Counts = Pick<WireUsage, "inputTokens" | "cachedInputTokens" | "outputTokens" | "reasoningTokens">;

/** What a scripted model told of its answers, counted by itself while it answers. */
export class CountedModel {
  readonly counts: Counts = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  #answers = 0;

  /** The turn with a usage of its own, different each time it is served. */
  turn(turn: WrittenTurn): () => WrittenTurn {
    return () => {
      const usage = this.#nextUsage();
      this.counts.inputTokens += usage.input;
      this.counts.cachedInputTokens += usage.cachedInput;
      this.counts.outputTokens += usage.output;
      return { ...turn, usage };
    };
  }

  #nextUsage() {
    const at = ++this.#answers;
    return { input: 1_000 + 37 * at, cachedInput: 500 + at, output: 100 + 3 * at };
  }
}

/** The sum of what was counted of requests that a provider told the usage of. */
export function toldBy(requests: readonly (Counts & { estimated?: boolean | undefined })[]): Counts {
  const sum = new CountedModel().counts;
  for (const request of requests) {
    if (request.estimated) continue;
    for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += request[name];
  }
  return sum;
}
