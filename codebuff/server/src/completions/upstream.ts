import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Route } from "../routing/route.ts";

const agents = {
  "http:": new HttpAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 }),
  "https:": new HttpsAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 }),
};

/** Reasoning models may think for minutes before they say a word; longer silence is a lost connection. */
const longestSilenceMs = 10 * 60_000;

export interface Upstream {
  /** Rejects when there is no answer at all. */
  readonly response: Promise<IncomingMessage>;
  destroy(): void;
}

/** Plain node:http: half the time to the first byte of fetch and its streams. */
export function callUpstream(route: Route, body: Buffer): Upstream {
  // Let go when the answer begins: it may take minutes to end.
  let unanswered: Buffer | undefined = body;
  const headers = {
    authorization: `Bearer ${route.apiKey}`,
    "content-type": "application/json",
    "content-length": body.length,
    accept: "text/event-stream, application/json",
    "accept-encoding": "identity",
    "user-agent": "codebuff-server",
  };
  const isSecure = route.url.protocol === "https:";
  const agent = agents[isSecure ? "https:" : "http:"];
  let current: ClientRequest | undefined;
  let isDestroyed = false;
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    const attempt = (connections: HttpAgent | false) => {
      const call = (isSecure ? httpsRequest : httpRequest)(route.url, {
        method: "POST",
        agent: connections,
        headers,
        timeout: longestSilenceMs,
      });
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
    attempt(agent);
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
