import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";

const keeping = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 };
const plain = { request, agent: new Agent(keeping) };
const secure = { request: secureRequest, agent: new SecureAgent(keeping) };

/** Reasoning models may think for minutes before they say a word; longer silence is a lost connection. */
const longestSilenceMs = 10 * 60_000;

export interface UpstreamRequest {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

export interface Upstream {
  /** Rejects when there is no answer at all. */
  readonly response: Promise<IncomingMessage>;
  destroy(): void;
}

/** Plain node:http: half the time to the first byte of fetch and its streams. */
export function callUpstream({ url, headers, body }: UpstreamRequest): Upstream {
  // Let go when the answer begins: it may take minutes to end.
  let unanswered: Buffer | undefined = body;
  const sent = { ...headers, "content-length": body.length };
  const way = url.protocol === "https:" ? secure : plain;
  let current: ClientRequest | undefined;
  let isDestroyed = false;
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    const attempt = (agent: Agent | false) => {
      const call = way.request(url, { method: "POST", agent, headers: sent, timeout: longestSilenceMs });
      current = call;
      call.on("timeout", () => call.destroy(new Error("The provider was silent for too long")));
      call.on("response", (answer) => {
        unanswered = undefined;
        resolve(answer);
      });
      call.on("error", (error: NodeJS.ErrnoException) => {
        // The provider closed an idle connection just as it was used again: it has not seen the request.
        if (call.reusedSocket && error.code === "ECONNRESET" && !isDestroyed) attempt(false);
        else reject(error);
      });
      call.end(unanswered);
    };
    attempt(way.agent);
  });
  return {
    response,
    destroy() {
      isDestroyed = true;
      current?.destroy();
    },
  };
}

/** No more of an answer than this is kept. */
const mostAnswerBytes = 16 * 1024 * 1024;

/** A whole answer; throws when it is cut off or too long. */
export async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostAnswerBytes) throw new Error("The provider's answer is too long");
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error("The provider's answer was cut off");
  return Buffer.concat(chunks, size);
}
