import type { Chunk } from "@muster/codebuff-runtime";
import { readUsage, type Usage } from "@muster/metering";
import { dataOf, FrameCutter, framesOf } from "@muster/node";
import type { PassedCall } from "../admission/pass-gates.ts";
import { bill, type Used } from "../completions/bill.ts";
import { errorOf, unreachable } from "../completions/provider-error.ts";
import type { Upstream } from "../completions/upstream.ts";
import { errorFields } from "../log.ts";
import { release } from "../money/calls/release.ts";
import { outputUnits } from "../routing/estimate.ts";
import type { Service } from "../service.ts";

/**
 * What a model answers, in the runtime's chunks; the last comes after the call is settled. Who leaves before does not wait: the
 * provider then has as long as behind any client that is gone to say what was used, and the call is settled by itself.
 */
export async function* modelAnswer(
  call: PassedCall,
  upstream: Upstream,
  signal: AbortSignal,
  service: Service,
): AsyncGenerator<Chunk> {
  const progress: Progress = {
    characters: 0,
    isDone: false,
    isAnswered: false,
    wasRefused: false,
    wasAbandoned: false,
  };
  service.calls.add({
    requestId: call.requestId,
    outputUnits: () => outputUnits(call.chat.model, progress.characters, service.config.prices),
    abandon: () => {
      progress.wasAbandoned = true;
      upstream.destroy();
    },
  });
  const chunks = readChunks(call, upstream, progress);
  let next = chunks.next();
  let isRead = false;
  try {
    for (;;) {
      const chunk = await unlessAborted(next, signal);
      if (chunk === undefined) return;
      if (chunk.done) break;
      yield chunk.value;
      next = chunks.next();
    }
    isRead = true;
  } catch (error) {
    isRead = true;
    await close(call, progress, progress.wasAbandoned ? "shut down" : "cut off", service);
    throw error;
  } finally {
    if (!isRead) {
      const closed = hearLastWords({ call, upstream, chunks, next, progress, service });
      // Whoever has heard enough asks again at once, and then nothing may be held any more.
      if (!signal.aborted) {
        upstream.destroy();
        await closed;
      }
    }
  }
  const outcome = progress.isDone ? "completed" : progress.wasAbandoned ? "shut down" : "cut off";
  const charged = await close(call, progress, outcome, service);
  if (outcome === "completed") yield finishChunk(progress, charged);
}

interface Progress {
  characters: number;
  usage?: Usage | undefined;
  serviceId?: string | undefined;
  finish?: string | undefined;
  isDone: boolean;
  /** The provider has begun: something was used. */
  isAnswered: boolean;
  wasRefused: boolean;
  wasAbandoned: boolean;
}

/** Ends where the provider says so or is cut off; throws when there is no answer at all. */
async function* readChunks(call: PassedCall, upstream: Upstream, progress: Progress): AsyncGenerator<Chunk, void> {
  const source = await upstream.response.catch(() => {
    throw unreachable();
  });
  progress.wasRefused = (source.statusCode ?? 500) >= 300;
  if (progress.wasRefused) throw await errorOf(source, call.route);
  progress.isAnswered = true;
  const cutter = new FrameCutter();
  try {
    for await (const bytes of source as AsyncIterable<Buffer>) {
      for (const frame of framesOf(cutter.push(bytes))) yield* read(dataOf(frame), progress);
      if (progress.isDone) return;
    }
    // Some end their last frame with the stream and not with a blank line.
    yield* read(dataOf(cutter.rest()), progress);
  } catch {
    // Broken in the middle: what came until then is all there is.
    upstream.destroy();
  }
}

interface Left {
  readonly call: PassedCall;
  readonly upstream: Upstream;
  readonly chunks: AsyncGenerator<Chunk, void>;
  /** What was being waited for. */
  readonly next: Promise<IteratorResult<Chunk, void>>;
  readonly progress: Progress;
  readonly service: Service;
}

async function hearLastWords({ call, upstream, chunks, next, progress, service }: Left): Promise<void> {
  const timer = setTimeout(() => upstream.destroy(), service.times.lastWordsMs);
  try {
    for (let chunk = await next; !chunk.done; ) chunk = await chunks.next();
  } catch {
    // Refused, or silent until the end: `close` knows which.
  } finally {
    clearTimeout(timer);
  }
  const outcome = progress.isDone ? "completed" : progress.wasAbandoned ? "shut down" : "client gone";
  await close(call, progress, outcome, service).catch((error: unknown) =>
    // The lease settles it.
    service.log("error", "a call could not be closed", { requestId: call.requestId, ...errorFields(error) }),
  );
}

/** Settles, or gives back what a provider that refused or was never reached has not used. Returns the units charged. */
async function close(
  call: PassedCall,
  progress: Progress,
  outcome: Used["outcome"],
  service: Service,
): Promise<number> {
  const { requestId, user } = call;
  try {
    if (!progress.isAnswered && (progress.wasRefused || outcome === "cut off")) {
      const at = service.now();
      await release(service.database, { requestId, ownerId: user.id, closedBy: "provider error", at });
      return 0;
    }
    const { usage, characters: outputCharacters, serviceId } = progress;
    const settled = await bill(call, { parts: [{ usage, outputCharacters }], serviceId, outcome }, service);
    return settled.kind === "charged" ? settled.charged : 0;
  } finally {
    service.calls.remove(requestId);
  }
}

/** Undefined when the signal was first. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  let onAbort = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

interface Delta {
  readonly id?: string;
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

function* read(data: string | undefined, progress: Progress): Generator<Chunk> {
  if (data === undefined) return;
  if (data.trim() === "[DONE]") {
    progress.isDone = true;
    return;
  }
  const event = JSON.parse(data) as Delta;
  progress.serviceId ??= event.id;
  progress.usage = readUsage("chat", progress.usage, event);
  const [choice] = event.choices ?? [];
  const { content, reasoning_content: thought = choice?.delta?.reasoning } = choice?.delta ?? {};
  progress.characters += (content?.length ?? 0) + (thought?.length ?? 0);
  if (thought) yield { type: "reasoning-delta", text: thought };
  if (content) yield { type: "text-delta", text: content };
  progress.finish = choice?.native_finish_reason ?? choice?.finish_reason ?? progress.finish;
}

function finishChunk({ finish, serviceId, usage }: Progress, charged: number): Chunk {
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
