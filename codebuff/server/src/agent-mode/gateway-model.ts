import type { Message } from "@muster/codebuff-protocol";
import type { Chunk, Model, ModelRequest } from "@muster/codebuff-runtime";
import { CallUnderWay } from "@muster/forwarding";
import { isBusy } from "@muster/sql";
import { refuseBanned } from "../admission/ban.ts";
import { openBillingBlock } from "../admission/block.ts";
import { type ChatBody, readCall } from "../admission/chat-request.ts";
import { holdRoute } from "../admission/hold-route.ts";
import type { PassedCall } from "../admission/pass-gates.ts";
import { limitRate } from "../admission/rate.ts";
import { checkRun } from "../admission/run.ts";
import { keyIsOver } from "../admission/user.ts";
import { closeCall } from "../completions/close-call.ts";
import { ProviderError } from "../completions/provider-error.ts";
import { upstreamRequest } from "../completions/upstream-body.ts";
import { findCallerBySession } from "../people/callers.ts";
import { databaseBusy, Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { modelAnswer } from "./model-answer.ts";

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
    if (signal.aborted) await closeCall(call, [], service);
    else yield* modelAnswer(call, new CallUnderWay(upstreamRequest(body, call.chat, call.route)), signal, service);
  } catch (error) {
    yield errorChunk(error);
  } finally {
    end();
  }
}

/** G2 to G8 again, before every call: a key may have been revoked and credits spent since the last one. */
async function passCall(
  owner: ModelOwner,
  request: ModelRequest,
  service: Service,
): Promise<{ call: PassedCall; body: ChatBody }> {
  const receivedAt = service.now();
  const user = await findCallerBySession(service.database, owner.keyId, { runId: request.runId, at: receivedAt });
  if (!user) throw keyIsOver();
  await limitRate(user.sessionId, service);
  refuseBanned(user);
  const run = checkRun(request.runId, user);
  const { chat, body } = readCall(Buffer.from(JSON.stringify(chatBody(request, run.id))));
  if (chat instanceof Refusal) throw chat;
  const scope = await openBillingBlock(user, service);
  const call = { requestId: owner.nextRequestId(), runId: run.id, chat, ownKey: undefined };
  const held = await holdRoute({ ...call, isNewId: false, scope, isNobodys: false }, user, service);
  return { body, call: { ...call, user, ...held, isFree: false, freeBelow: 0, receivedAt } };
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

function errorChunk(thrown: unknown): Chunk {
  const error = isBusy(thrown) ? databaseBusy() : thrown;
  if (error instanceof Refusal) {
    return { type: "error", code: error.code ?? codes[error.status], message: error.message, statusCode: error.status };
  }
  if (error instanceof ProviderError) {
    return { type: "error", code: "provider_error", message: error.body.slice(0, 1000), statusCode: error.status };
  }
  throw error;
}

const codes: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  402: "out_of_credits",
  503: "unavailable",
};
