import { messageOf } from "@muster/core";
import { type Cost, noCost } from "../cost.ts";
import type { Chunk, Clock, Model, ModelRequest } from "../ports.ts";
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

/** Streams one response: every chunk is forwarded at once, complete calls are taken out of the growing text. */
export async function readResponse(
  source: { model: Model; clock: Clock; request: ModelRequest; signal: AbortSignal },
  rules: ResponseRules,
  onChunk: (chunk: string) => void,
): Promise<AgentResponse> {
  const { request } = source;
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
  for await (const chunk of chunksOf(source, rules.stallMs)) {
    if (chunk === "cancelled") return result("cancelled");
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
  }
  pieces.push(...reader.end({ stopped: false }));
  return result("cut", spent ?? unknownCost);
}

const unknownCost: Cost = { ...noCost, known: false };

/** The stream until it ends, fails, falls silent or is aborted; afterwards it is closed, whatever state it is in. */
async function* chunksOf(
  { model, clock, request, signal }: { model: Model; clock: Clock; request: ModelRequest; signal: AbortSignal },
  stallMs: number,
): AsyncGenerator<Chunk | "cancelled"> {
  const ours = new AbortController();
  const stop = () => ours.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const iterator = model.stream(request, ours.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextOf(iterator, clock, ours.signal, stallMs);
      if (next === "cancelled") yield next;
      if (typeof next === "string" || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    ours.abort();
    // A stream that hangs would hang its return too: it has the signal and is not waited for.
    iterator.return?.().catch(() => undefined);
  }
}

async function nextOf(
  iterator: AsyncIterator<Chunk>,
  clock: Clock,
  signal: AbortSignal,
  stallMs: number,
): Promise<IteratorResult<Chunk> | "cancelled" | "stalled"> {
  if (signal.aborted) return "cancelled";
  const timer = new AbortController();
  const stop = () => timer.abort();
  signal.addEventListener("abort", stop);
  try {
    const silence = clock.sleep(stallMs, timer.signal).then(
      () => "stalled" as const,
      () => "cancelled" as const,
    );
    return await Promise.race([iterator.next(), silence]);
  } catch (error) {
    if (signal.aborted) return "cancelled";
    const message = messageOf(error);
    return { done: false, value: { type: "error", message } };
  } finally {
    signal.removeEventListener("abort", stop);
    timer.abort();
  }
}
