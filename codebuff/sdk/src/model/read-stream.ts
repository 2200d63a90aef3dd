import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { Chunk } from "@muster/codebuff-runtime";
import { ModelFailure } from "../model-failure.ts";
import type { Reckoning } from "./reckoning.ts";

type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>;
export type Settle = (finish: Finish) => Pick<Extract<Chunk, { type: "finish" }>, "usage" | "cost">;

/**
 * A provider's stream as chunks. A call is passed on only when something sound follows it: at the end of a cut stream
 * providers hand out calls with half their arguments.
 */
export async function* readStream(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  { settle, reckoning }: { settle: Settle; reckoning: Reckoning },
): AsyncGenerator<Chunk> {
  const { stream } = await model.doStream({ ...options, includeRawChunks: true });
  const reader = stream.getReader();
  let held: Chunk[] = [];
  let messageId: string | undefined;
  try {
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) return;
      switch (part.type) {
        case "tool-call":
          held.push({ type: "tool-call", toolName: part.toolName, input: part.input });
          continue;
        case "raw":
          reckoning.hear(part.rawValue);
          yield* reckoning.due();
          continue;
        case "error":
          throw part.error;
        case "response-metadata":
          messageId = part.id ?? messageId;
          continue;
        case "finish":
          if (isCut(part)) throw new ModelFailure("cut", "The answer broke off");
          if (part.finishReason.unified === "content-filter") throw filtered();
          yield* held;
          yield { type: "finish", reason: reasonOf(part), messageId, ...settle(part) };
          return;
        default:
          yield* held;
          held = [];
          reckoning.write("delta" in part ? part.delta.length : 0);
          yield* reckoning.due();
          if (part.type === "text-delta" && part.delta !== "") yield { type: "text-delta", text: part.delta };
          if (part.type === "reasoning-delta" && part.delta !== "") yield { type: "reasoning-delta", text: part.delta };
      }
    }
  } finally {
    // Whoever stops reading also hangs up; after the end this does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

function filtered(): ModelFailure {
  return new ModelFailure("refused", "The provider's filter stopped the answer", { code: "content_filter" });
}

/** No reason and no usage: the connection ended in the middle, whatever the provider makes of it. */
function isCut({ finishReason, usage }: Finish): boolean {
  const hasReason = finishReason.unified !== "other" && finishReason.unified !== "error";
  return !hasReason && finishReason.raw === undefined && usage.outputTokens.total === undefined;
}

function reasonOf({ finishReason: { unified, raw } }: Finish): Extract<Chunk, { type: "finish" }>["reason"] {
  if (raw === "stop_sequence") return "stop-sequence";
  if (unified === "tool-calls" || unified === "length") return unified;
  return "stop";
}
