import type { IncomingMessage, ServerResponse } from "node:http";
import type { ChatBody } from "../admission/chat-request.ts";
import { type PassedCall, passGates } from "../admission/pass-gates.ts";
import { release } from "../money/calls/release.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { bill } from "./bill.ts";
import { forwardAnswer } from "./forward-answer.ts";
import { forwardStream } from "./forward-stream.ts";
import { errorOf, unreachable } from "./provider-error.ts";
import { callUpstream, type Upstream } from "./upstream.ts";
import { upstreamBody } from "./upstream-body.ts";

/**
 * `POST /api/v1/chat/completions`. Returns the answer of a request that does not stream; a stream is written by itself.
 * Whatever goes wrong before the first byte is thrown, and no credits stay held.
 */
export async function chatCompletions(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<object | undefined> {
  const end = service.calls.begin();
  try {
    return await answer(await passGates(request, service), response, service);
  } finally {
    end();
  }
}

async function answer(passed: Passed, response: ServerResponse, service: Service): Promise<object | undefined> {
  if (response.destroyed) return leave(passed.call, service);
  const { call, upstreams } = dispatch(passed);
  if (!call.chat.isStreaming) return forwardAnswer(call, upstreams, response, service);
  const [upstream] = upstreams;
  if (upstream) await stream(call, upstream, response, service);
  return undefined;
}

interface Passed {
  readonly call: PassedCall;
  readonly body: ChatBody;
}

/** The client went while its request passed the gates: no provider hears of it. */
async function leave({ requestId, user }: PassedCall, { database, now }: Service): Promise<undefined> {
  await release(database, { requestId, ownerId: user.id, closedBy: "client gone", at: now() });
}

/** The body ends here: who waits for the answer does not keep it. */
function dispatch({ call, body }: Passed): { call: PassedCall; upstreams: Upstream[] } {
  const { chat, route } = call;
  const bytes = upstreamBody(body, chat.isStreaming, route);
  return { call, upstreams: Array.from({ length: chat.n }, () => callUpstream(route, bytes)) };
}

async function stream(call: PassedCall, upstream: Upstream, response: ServerResponse, service: Service): Promise<void> {
  const source = await firstAnswer(call, upstream, response, service);
  if (source) await forwardStream(call, upstream, source, response, service);
}

/** The provider's answer, before a byte of it is read. Undefined when the client left meanwhile: then the call is closed. */
async function firstAnswer(
  call: PassedCall,
  upstream: Upstream,
  response: ServerResponse,
  service: Service,
): Promise<IncomingMessage | undefined> {
  let lastWords: NodeJS.Timeout | undefined;
  let isGone = false;
  let wasRefused = false;
  let wasAbandoned = false;
  const onClose = () => {
    isGone = true;
    lastWords = setTimeout(() => upstream.destroy(), service.times.lastWordsMs);
  };
  response.once("close", onClose);
  service.calls.add({
    requestId: call.requestId,
    outputUnits: () => 0,
    abandon: () => {
      wasAbandoned = true;
      upstream.destroy();
    },
  });
  try {
    const source = await upstream.response.catch(() => {
      throw unreachable();
    });
    wasRefused = (source.statusCode ?? 500) >= 300;
    if (wasRefused) throw await errorOf(source, call.route);
    return source;
  } catch (error) {
    service.calls.remove(call.requestId);
    // Nobody knows what a provider did that was cut off; one that refused did nothing.
    if ((isGone || wasAbandoned) && !wasRefused) {
      const outcome = wasAbandoned ? "shut down" : "client gone";
      await bill(call, { parts: [{ usage: undefined, outputCharacters: 0 }], outcome }, service);
      if (isGone) return undefined;
      throw new Refusal(503, "The server is shutting down", { headers: { "retry-after": "1" } });
    }
    const close = { requestId: call.requestId, ownerId: call.user.id, at: service.now() };
    await release(service.database, { ...close, closedBy: "provider error" });
    if (isGone) return undefined;
    throw error;
  } finally {
    clearTimeout(lastWords);
    response.off("close", onClose);
  }
}
