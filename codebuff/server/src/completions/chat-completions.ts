import type { IncomingMessage, ServerResponse } from "node:http";
import { CallUnderWay } from "@muster/forwarding";
import { type PassedCall, passGates } from "../admission/pass-gates.ts";
import type { Service } from "../service.ts";
import { closeCall } from "./close-call.ts";
import { forwardAnswer } from "./forward-answer.ts";
import { forwardStream, type StreamClient } from "./forward-stream.ts";
import { upstreamRequest } from "./upstream-body.ts";

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
    const { call, underWay } = await dispatch(request, response, service);
    const [first] = underWay;
    if (first === undefined) await closeCall(call, [], service);
    else if (call.chat.isStreaming) await forwardStream(call, first, clientOf(call, response, service), service);
    else return await forwardAnswer(call, underWay, response, service);
    return undefined;
  } finally {
    end();
  }
}

interface Dispatched {
  readonly call: PassedCall;
  /** One for each answer; none when the client went while its request passed the gates: no provider hears of it. */
  readonly underWay: readonly CallUnderWay[];
}

/** The body ends here: who waits for the answer does not keep it. */
async function dispatch(request: IncomingMessage, response: ServerResponse, service: Service): Promise<Dispatched> {
  const { call, body } = await passGates(request, service);
  if (response.destroyed) return { call, underWay: [] };
  const upstream = upstreamRequest(body, call.chat, call.route);
  return { call, underWay: Array.from({ length: call.chat.n }, () => new CallUnderWay(upstream)) };
}

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

function clientOf({ requestId }: PassedCall, response: ServerResponse, { times }: Service): StreamClient {
  let isCorked = false;
  const uncork = () => {
    if (isCorked) response.uncork();
    isCorked = false;
  };
  return {
    target: response,
    wrote: uncork,
    open() {
      // A first word that came with the head goes out with ours, one write for both; a head that came alone does not wait long.
      response.cork();
      isCorked = true;
      setImmediate(uncork);
      response.writeHead(200, { ...headers, "x-request-id": requestId });
      response.write(": codebuff\n\n");
      const heartbeat = setInterval(() => {
        if (!response.writableEnded && !response.writableNeedDrain) response.write(": heartbeat\n\n");
      }, times.heartbeatMs);
      response.once("close", () => clearInterval(heartbeat));
    },
    lastWordsMs: () => times.lastWordsMs,
  };
}
