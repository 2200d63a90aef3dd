import { messageOf } from "@muster/core";
import { type Cost, noCost } from "../cost.ts";
import { Cancelled } from "../failures.ts";
import type { Clock, Model, ModelRequest } from "../ports.ts";
import { Stalled, watchStream } from "../stream/watch-stream.ts";
import { closingTag, XmlCallReader, type XmlPiece } from "../xml/call-reader.ts";

export interface ResponseRules {
  /** Tools whose elements are calls. */
  readonly names: readonly string[];
  /** Tools after whose call the response ends. */
  readonly lastCalls: readonly string[];
  readonly stallMs: number;
}

/**
 * `text` is what goes into history, a closing tag that the provider cut off included. `cut` means the stream ended, or
 * fell silent, without saying why.
 */
export interface AgentResponse {
  readonly text: string;
  readonly pieces: readonly XmlPiece[];
  readonly ending: "finished" | "cut" | "cancelled" | { readonly code: string; readonly message: string };
  readonly cost: Cost;
  readonly messageId: string | null;
}

/** Streams one response: every chunk is forwarded at once, complete calls are taken out of the growing text. The next is read when there is room. */
export async function readResponse(
  source: { model: Model; clock: Clock; request: ModelRequest; signal: AbortSignal; room?: () => Promise<void> },
  rules: ResponseRules,
  onChunk: (chunk: string) => void,
): Promise<AgentResponse> {
  const { model, request, signal } = source;
  const reader = new XmlCallReader(rules.names, rules.lastCalls);
  const pieces: XmlPiece[] = [];
  let text = "";
  const forward = (chunk: string) => {
    if (chunk === "") return;
    text += chunk;
    onChunk(chunk);
  };
  let spent: Cost | undefined;
  const result = (
    ending: AgentResponse["ending"],
    cost = spent ?? noCost,
    messageId: string | null = null,
  ): AgentResponse => ({
    text,
    pieces,
    ending,
    cost,
    messageId,
  });
  try {
    for await (const chunk of watchStream((inner) => model.stream(request, inner), { ...source, ...rules })) {
      if (chunk.type === "spent") spent = chunk.cost;
      if (chunk.type === "error") return result({ code: chunk.code ?? "model_error", message: chunk.message });
      if (chunk.type === "text-delta") {
        // A provider that goes on behind the last call is left; one that only has to say what it cost is heard out.
        if (reader.cutAt !== undefined && chunk.text.trim() !== "") return result("finished", spent ?? unknownCost);
        const before = text.length;
        pieces.push(...reader.push(chunk.text));
        forward(reader.cutAt === undefined ? chunk.text : chunk.text.slice(0, Math.max(0, reader.cutAt - before)));
        if (reader.cutAt !== undefined && chunk.text.slice(reader.cutAt - before).trim() !== "") {
          return result("finished", spent ?? unknownCost);
        }
      }
      if (chunk.type === "finish") {
        const open = reader.open;
        // Many providers say "stop" for both ends; inside an open call it was the stop sequence.
        const atTag = open !== undefined && chunk.reason === "stop" && request.stop?.includes(closingTag(open));
        const stopped = chunk.reason === "stop-sequence" || atTag === true;
        if (stopped && open !== undefined) forward(closingTag(open));
        pieces.push(...reader.end({ stopped }));
        return result("finished", chunk.cost, chunk.messageId ?? null);
      }
      await source.room?.();
    }
  } catch (error) {
    if (error instanceof Cancelled || signal.aborted) return result("cancelled");
    if (!(error instanceof Stalled)) return result({ code: "model_error", message: messageOf(error) });
  }
  pieces.push(...reader.end({ stopped: false }));
  return result("cut", spent ?? unknownCost);
}

const unknownCost: Cost = { ...noCost, known: false };
