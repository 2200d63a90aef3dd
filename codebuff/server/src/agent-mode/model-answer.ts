import { PassThrough } from "node:stream";
import type { Chunk } from "@muster/codebuff-runtime";
import { parseJson } from "@muster/core";
import type { CallUnderWay } from "@muster/forwarding";
import { readUsage, type Usage } from "@muster/metering";
import { dataOf, framesOf } from "@muster/node";
import type { PassedCall } from "../admission/pass-gates.ts";
import { forwardStream } from "../completions/forward-stream.ts";
import { errorFields } from "../log.ts";
import type { Service } from "../service.ts";

/**
 * What a model answers, in the runtime's chunks; the last comes after the call is settled. Who leaves before does not wait: the
 * provider then has as long as behind any client that is gone to say what was used, and the call is settled by itself.
 */
export async function* modelAnswer(
  call: PassedCall,
  underWay: CallUnderWay,
  signal: AbortSignal,
  service: Service,
): AsyncGenerator<Chunk> {
  const frames = new PassThrough();
  const leave = () => frames.destroy();
  signal.addEventListener("abort", leave);
  const lastWordsMs = () => (signal.aborted ? service.times.lastWordsMs : 0);
  const forwarding = forwardStream(call, underWay, { target: frames, open: () => {}, lastWordsMs }, service);
  forwarding.catch((error: Error) => {
    if (!frames.destroyed) frames.destroy(error);
    // Nobody listens any more; the lease settles it.
    else service.log("error", "a call could not be closed", { requestId: call.requestId, ...errorFields(error) });
  });
  const said: Said = {};
  try {
    // What is written to it are whole frames, and so is what comes out.
    for await (const slice of frames as AsyncIterable<Buffer>) {
      for (const frame of framesOf(slice)) yield* read(dataOf(frame), said);
    }
    const { outcome, settled } = await forwarding;
    if (outcome === "completed") yield finishChunk(said, settled?.kind === "charged" ? settled.charged : 0);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", leave);
    frames.destroy();
    // Whoever has heard enough asks again at once, and then nothing may be held any more.
    if (!signal.aborted) await forwarding.catch(() => {});
  }
}

interface Said {
  usage?: Usage | undefined;
  serviceId?: string | undefined;
  finish?: string | undefined;
}

interface Delta {
  readonly id?: string;
  readonly error?: { readonly message?: unknown; readonly code?: unknown };
  readonly choices?: {
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string;
      readonly reasoning?: string;
    };
    readonly finish_reason?: string | null;
    readonly native_finish_reason?: string | null;
  }[];
}

function* read(data: string | undefined, said: Said): Generator<Chunk> {
  const event = eventIn(data);
  if (event === undefined) return;
  const { code, message } = event.error ?? {};
  if (typeof code === "string") yield { type: "error", code, message: String(message) };
  said.serviceId ??= event.id;
  said.usage = readUsage("chat", said.usage, event);
  const [choice] = event.choices ?? [];
  const { content, reasoning_content: thought = choice?.delta?.reasoning } = choice?.delta ?? {};
  if (thought) yield { type: "reasoning-delta", text: thought };
  if (content) yield { type: "text-delta", text: content };
  said.finish = choice?.native_finish_reason ?? choice?.finish_reason ?? said.finish;
}

function eventIn(data = ""): Delta | undefined {
  // What is no JSON is said to nobody: what is around it still is an answer.
  return data.startsWith("{") ? (parseJson(data) as Delta | undefined) : undefined;
}

function finishChunk({ finish, serviceId, usage }: Said, charged: number): Chunk {
  const reasons = { length: "length", stop_sequence: "stop-sequence" } as const;
  return {
    type: "finish",
    reason: reasons[finish as keyof typeof reasons] ?? "stop",
    messageId: serviceId,
    usage: {
      inputTokens: usage?.inputTokens,
      cachedInputTokens: usage?.cachedInputTokens,
      outputTokens: usage?.outputTokens,
      reasoningTokens: usage?.reasoningTokens,
    },
    cost: { millicredits: charged, known: true },
  };
}
