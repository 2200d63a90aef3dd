import type { Message } from "@muster/codebuff-protocol";
import type { Chunk, Model, ModelRequest } from "@muster/codebuff-runtime";
import { dataOf, FrameCutter, framesOf, readUsage, type Usage } from "@muster/metering";
import { refuseBanned } from "../gates/ban.ts";
import { openBillingBlock } from "../gates/block.ts";
import { type ChatBody, readCall } from "../gates/chat-request.ts";
import { holdRoute } from "../gates/hold-route.ts";
import type { PassedCall } from "../gates/pass-gates.ts";
import { limitRate } from "../gates/rate.ts";
import { checkRun } from "../gates/run.ts";
import { bill, type Used } from "../gateway/bill.ts";
import { outputUnits } from "../gateway/estimate.ts";
import { errorOf, ProviderError, unreachable } from "../gateway/provider-error.ts";
import { callUpstream, type Upstream } from "../gateway/upstream.ts";
import { upstreamBody } from "../gateway/upstream-body.ts";
import { release } from "../money/release.ts";
import { findCallerBySession } from "../people/callers.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

export interface ModelOwner {
  readonly userId: string;
  /** The key or login with which the socket was opened; it may have ended since. */
  readonly keyId: string;
  /** One per call of a model, the same for nobody else. */
  nextRequestId(): string;
}

/** The runtime's way to a model on the server: every call passes the gates and is billed like any other. */
export function gatewayModel(owner: ModelOwner, service: Service): Model {
  return {
    contextWindow: (model) => (/gemini|gpt-4\.1/.test(model) ? 1_000_000 : 200_000),
    stream: (request, signal) => stream(owner, request, signal, service),
  };
}

async function* stream(
  owner: ModelOwner,
  request: ModelRequest,
  signal: AbortSignal,
  service: Service,
): AsyncGenerator<Chunk> {
  const end = service.calls.begin();
  try {
    const { call, body } = await passCall(owner, request, service);
    // The client went while its call passed the gates: no provider hears of it.
    if (signal.aborted) await release(service.database, endOfCall(call, "client gone", service));
    else yield* answer(call, callUpstream(call.route, upstreamBody(body, true, call.route)), signal, service);
  } catch (error) {
    yield errorChunk(error);
  } finally {
    end();
  }
}

async function* answer(
  call: PassedCall,
  upstream: Upstream,
  signal: AbortSignal,
  service: Service,
): AsyncGenerator<Chunk> {
  const stop = () => upstream.destroy();
  const progress: Progress = {
    characters: 0,
    usage: undefined,
    serviceId: undefined,
    finish: undefined,
    isDone: false,
  };
  service.calls.add({
    requestId: call.requestId,
    outputUnits: () => outputUnits(call.chat.model, progress.characters),
    abandon: stop,
  });
  signal.addEventListener("abort", stop);
  let isAnswered = false;
  let isReleased = false;
  let outcome: Used["outcome"] = "client gone";
  try {
    const source = await upstream.response.catch(() => {
      throw unreachable();
    });
    if ((source.statusCode ?? 500) >= 300) throw await errorOf(source, call.route);
    isAnswered = true;
    const cutter = new FrameCutter();
    for await (const bytes of source as AsyncIterable<Buffer>) {
      for (const frame of framesOf(cutter.push(bytes))) yield* read(dataOf(frame), progress);
      if (progress.isDone) break;
    }
    // Some end their last frame with the stream and not with a blank line.
    if (!progress.isDone) yield* read(dataOf(cutter.rest()), progress);
    outcome = progress.isDone ? "completed" : "cut off";
  } catch (error) {
    if (isAnswered) outcome = signal.aborted ? "client gone" : "cut off";
    else if (!signal.aborted) {
      isReleased = true;
      await release(service.database, endOfCall(call, "provider error", service));
      throw error;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    try {
      if (!isReleased) {
        const { usage, characters: outputCharacters, serviceId } = progress;
        const settled = await bill(call, { parts: [{ usage, outputCharacters }], serviceId, outcome }, service);
        progress.charged = settled.kind === "charged" ? settled.charged : 0;
      }
    } finally {
      service.calls.remove(call.requestId);
    }
  }
  if (outcome === "completed") yield finishChunk(progress);
}

interface Progress {
  characters: number;
  usage: Usage | undefined;
  serviceId: string | undefined;
  finish: string | undefined;
  isDone: boolean;
  charged?: number;
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

function finishChunk({ finish, serviceId, usage, charged = 0 }: Progress): Chunk {
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

/** G2 to G8 again, before every call: a key may have been revoked and credits spent since the last one. */
async function passCall(
  owner: ModelOwner,
  request: ModelRequest,
  service: Service,
): Promise<{ call: PassedCall; body: ChatBody }> {
  const receivedAt = service.now();
  const user = await findCallerBySession(service.database, owner.keyId, { runId: request.runId, at: receivedAt });
  if (!user) throw new Refusal(401, "The API key is not valid any more", { code: "unauthorized" });
  await limitRate(user.sessionId, service);
  refuseBanned(user);
  const run = checkRun(request.runId, user);
  const { chat, body } = readCall(Buffer.from(JSON.stringify(chatBody(request, run.id))));
  if (chat instanceof Refusal) throw chat;
  const scope = await openBillingBlock(user, service);
  const call = { requestId: owner.nextRequestId(), runId: run.id, chat, ownKey: undefined };
  const route = await holdRoute({ ...call, scope, isNobodys: false }, user, service);
  return { body, call: { ...call, user, route, isFree: false, receivedAt } };
}

function chatBody(request: ModelRequest, runId: string): Record<string, unknown> {
  return {
    model: request.model,
    stream: true,
    max_tokens: request.maxTokens,
    stop: request.stop === undefined || request.stop.length === 0 ? undefined : [...request.stop],
    messages: request.messages.map(wireMessage),
    codebuff_metadata: { run_id: runId, client_id: "agent-mode" },
  };
}

/** Providers refuse system messages in the middle: those go as the user's, marked as ours. */
function wireMessage(message: Message, at: number): object {
  const text = textOf(message);
  if (message.role === "system" && at > 0) return { role: "user", content: `<system>\n${text}\n</system>` };
  return { role: message.role === "tool" ? "user" : message.role, content: text };
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : JSON.stringify(part))).join("\n");
}

function errorChunk(error: unknown): Chunk {
  if (error instanceof Refusal) {
    return { type: "error", code: error.code ?? codes[error.status], message: error.message, statusCode: error.status };
  }
  if (error instanceof ProviderError) {
    return { type: "error", code: "provider_error", message: error.body.slice(0, 1000), statusCode: error.status };
  }
  throw error;
}

const codes: Readonly<Record<number, string>> = { 400: "bad_request", 401: "unauthorized", 402: "out_of_credits" };

function endOfCall(call: PassedCall, closedBy: string, service: Service) {
  return { requestId: call.requestId, ownerId: call.user.id, closedBy, at: service.now() };
}
