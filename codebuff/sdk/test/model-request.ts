import { AgentDefinition } from "@muster/codebuff-protocol";
import type { Chunk, Clock, ModelRequest } from "@muster/codebuff-runtime";

export const noSignal = new AbortController().signal;

/** The smallest request that a service takes. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    runId: "run-1",
    agentId: "main-agent",
    ancestorRunIds: [],
    agent: AgentDefinition.parse({ id: "tester", displayName: "Tester", model: "anthropic/claude-haiku-4.5" }),
    model: "anthropic/claude-haiku-4.5",
    messages: [
      { role: "system", content: "You test." },
      { role: "user", content: [{ type: "text", text: "hello" }], tags: ["USER_PROMPT"] },
    ],
    cacheAt: [],
    tools: [],
    maxTokens: 1_000,
    ...changes,
  };
}

/** Sleeps nothing and remembers how long it would have been. */
export function impatientClock(): Pick<Clock, "now" | "sleep"> & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
    },
  };
}

export async function collect(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

export function textOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.text : "")).join("");
}
