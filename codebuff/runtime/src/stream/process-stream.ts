import type { ToolInput } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { AgentRun } from "../agent-run.ts";
import { type ReadCall, readCall } from "../calls/read-call.ts";
import { refusedAgents } from "../children/agent-names.ts";
import { Cancelled, codeOf } from "../failures.ts";
import type { Chunk, ModelRequest } from "../ports.ts";
import { watchStream } from "./watch-stream.ts";

type Finish = Extract<Chunk, { type: "finish" }>;

/** How a stream ended. `cut` covers silence and every way to stop without a last word. */
export type StreamEnd =
  | { readonly type: "finished"; readonly finish: Finish }
  | { readonly type: "cut"; readonly reason: string }
  | { readonly type: "failed"; readonly code: string; readonly message: string; readonly statusCode?: number }
  | { readonly type: "cancelled" };

/** What a stream gave, whole or not. Its calls are checked and announced, none has run. */
export interface StreamedAnswer {
  readonly texts: readonly string[];
  readonly calls: readonly ReadCall[];
  readonly hasReasoning: boolean;
  readonly end: StreamEnd;
  /** What it has cost: its own last word, or what was known when it broke off. */
  readonly spent: Pick<Finish, "usage" | "cost"> | undefined;
}

/**
 * Reads one answer of the model and shows it as it comes: text in pieces, thoughts, calls once complete. The model is read
 * only as fast as what is shown is taken.
 */
export async function processStream(run: AgentRun, request: ModelRequest): Promise<StreamedAnswer> {
  const { emit, tree } = run;
  const { clock, model } = tree.ports;
  const texts: string[] = [];
  const calls: ReadCall[] = [];
  let hasReasoning = false;
  let spent: StreamedAnswer["spent"];
  let block = "";
  const flush = () => {
    if (block === "") return;
    texts.push(block);
    emit.endBlock();
    block = "";
  };
  const finish = (end: StreamEnd): StreamedAnswer => {
    flush();
    return { texts, calls, hasReasoning, end, spent };
  };
  try {
    const watch = { clock, stallMs: tree.limits.stallMs, signal: tree.signal };
    for await (const chunk of watchStream((signal) => model.stream(request, signal), watch)) {
      switch (chunk.type) {
        case "text-delta":
          if (chunk.text === "") break;
          block += chunk.text;
          emit.chunk(chunk.text);
          break;
        case "reasoning-delta":
          if (chunk.text === "") break;
          flush();
          hasReasoning = true;
          emit.reasoning(chunk.text);
          break;
        case "tool-call":
          flush();
          calls.push(announce(run, readCall(run, chunk.toolName, chunk.input)));
          break;
        case "spent":
          spent = chunk;
          break;
        case "retrying":
          emit.warn("retrying", chunk.message ?? "The model is asked again", { untilMs: chunk.untilMs });
          break;
        case "error":
          return finish({ ...chunk, type: "failed", code: codeOf(chunk.code, chunk.statusCode) });
        case "finish":
          spent = chunk;
          return finish({ type: "finished", finish: chunk });
      }
      await tree.actions.room();
    }
    return finish({ type: "cut", reason: "The model's answer broke off" });
  } catch (error) {
    if (error instanceof Cancelled || tree.signal.aborted) return finish({ type: "cancelled" });
    return finish({ type: "cut", reason: messageOf(error) });
  }
}

/** Shows a call that was read, with what is wrong about it. */
export function announce(run: AgentRun, read: ReadCall): ReadCall {
  const { emit } = run;
  if (read.refusal !== undefined) emit.warn(read.refusal.code, read.refusal.message);
  else if (read.call.toolName === "spawn_agents") warnOfRefused(run, read);
  emit.toolCall(read.call, { includeToolCall: true, repaired: read.repaired });
  return read;
}

/** The others are spawned; the refused ones get a slot with the reason in the result. */
function warnOfRefused({ emit, spawnable }: AgentRun, { call }: ReadCall): void {
  const { agents } = call.input as ToolInput<"spawn_agents">;
  const refused = refusedAgents(
    agents.map(({ agent_type }) => agent_type),
    spawnable.keys(),
  );
  if (refused.length > 0) emit.warn("agent_refused", refused.join("; "));
}
