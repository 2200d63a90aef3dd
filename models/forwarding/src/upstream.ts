import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { proxyHeaders } from "@muster/node";
import { tunnelThrough } from "./proxies.ts";

const keeping = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 };
const plain = { request, agent: new Agent(keeping) };
const secure = { request: secureRequest, agent: new SecureAgent(keeping) };

/** Reasoning models may think for minutes before they say a word; longer silence is a lost connection. */
const longestSilenceMs = 10 * 60_000;

export interface UpstreamRequest {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** POST unless told otherwise; a request without a body goes out without its length. */
  readonly method?: string | undefined;
  /** Asked in place of the provider: by CONNECT for a secure one. */
  readonly proxy?: URL | undefined;
  /** How long a connection may take to come about; as long as the system lets it without this. */
  readonly connectMs?: number | undefined;
}

export interface Upstream {
  /** Rejects when there is no answer at all: with `Unreached` when the provider has heard nothing. */
  readonly response: Promise<IncomingMessage>;
  destroy(): void;
}

/** No connection came about, so that the same may be asked elsewhere. */
export class Unreached extends Error {
  override readonly name = "Unreached";
}

/** Plain node:http: half the time to the first byte of fetch and its streams. */
export function callUpstream(asked: UpstreamRequest): Upstream {
  // Let go when the answer begins: it may take minutes to end.
  let unanswered: Buffer | undefined = asked.body;
  const { connectMs } = asked;
  const way = wayTo(asked);
  let current: ClientRequest | undefined;
  let isDestroyed = false;
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    const attempt = (agent: Agent | false) => {
      const call = way.request(agent);
      current = call;
      let isReached = false;
      const connecting =
        connectMs !== undefined &&
        setTimeout(() => call.destroy(new Error("No connection came about in time")), connectMs);
      call.once("socket", (socket) => {
        onceConnected(socket, () => {
          isReached = true;
          if (connecting) clearTimeout(connecting);
        });
      });
      call.on("timeout", () => call.destroy(new Error("The provider was silent for too long")));
      call.on("response", (answer) => {
        unanswered = undefined;
        resolve(answer);
      });
      call.on("error", (error: NodeJS.ErrnoException) => {
        if (connecting) clearTimeout(connecting);
        // The provider closed an idle connection just as it was used again: it has not seen the request.
        if (call.reusedSocket && error.code === "ECONNRESET" && !isDestroyed) attempt(false);
        else reject(isReached || isDestroyed ? error : new Unreached(error.message, { cause: error }));
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

interface Way {
  readonly agent: Agent;
  request(agent: Agent | false): ClientRequest;
}

function wayTo({ url, headers, body, method = "POST", proxy }: UpstreamRequest): Way {
  const sent = body.length > 0 || method === "POST" ? { ...headers, "content-length": body.length } : headers;
  const options = { method, timeout: longestSilenceMs };
  const isSecure = url.protocol === "https:";
  if (proxy === undefined || isSecure) {
    const way = isSecure ? secure : plain;
    const kept = proxy === undefined ? way.agent : tunnelThrough(proxy, keeping);
    // A tunnel is made by its agent: there is no second attempt beside it.
    const ask = (agent: Agent | false) =>
      way.request(url, { ...options, headers: sent, agent: proxy === undefined ? agent : kept });
    return { agent: kept, request: ask };
  }
  const way = proxy.protocol === "https:" ? secure : plain;
  const asProxied = { ...sent, host: url.host, ...proxyHeaders(proxy) };
  const ask = (agent: Agent | false) =>
    way.request(new URL(proxy.origin), { ...options, path: url.href, headers: asProxied, agent });
  return { agent: way.agent, request: ask };
}

/** A socket that was used before is connected; a secure one is when its handshake is over. */
function onceConnected(socket: Socket, connected: () => void): void {
  const isSecure = "encrypted" in socket;
  if (isSecure && (socket as TLSSocket & { secureConnecting?: boolean }).secureConnecting) {
    socket.once("secureConnect", connected);
  } else if (!isSecure && socket.connecting) socket.once("connect", connected);
  else connected();
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
