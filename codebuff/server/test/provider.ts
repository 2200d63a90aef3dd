import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProviderRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

export interface Provider {
  readonly url: string;
  readonly requests: ProviderRequest[];
  /** How many connections broke before the answer was complete. */
  readonly cuts: { count: number };
  close(): Promise<void>;
}

export type Reply = (request: ProviderRequest, response: ServerResponse) => void | Promise<void>;

/** A model provider that answers what a test tells it to, byte for byte. */
export async function startProvider(reply: Reply): Promise<Provider> {
  const requests: ProviderRequest[] = [];
  const cuts = { count: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const seen = { path: request.url ?? "", headers: request.headers, body: text === "" ? {} : JSON.parse(text) };
    requests.push(seen);
    response.on("close", () => {
      if (!response.writableFinished) cuts.count++;
    });
    await reply(seen, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    cuts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function frame(value: unknown): string {
  return `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
}

export const words = (text: string, id = "gen-1") =>
  frame({
    id,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
  });

export const usageFrame = (usage: object, id = "gen-1") =>
  frame({ id, object: "chat.completion.chunk", choices: [], usage });

/** A short answer that costs two cents. */
export const twoCents = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cost: 0.02 };

export const streamOf = (...frames: string[]): Reply => {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of frames) response.write(text);
    response.end();
  };
};

export const shortAnswer: Reply = (request, response) => {
  if (request.body.stream === true) {
    return streamOf(words("Hel"), words("lo"), usageFrame(twoCents), frame("[DONE]"))(request, response);
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "gen-1",
      object: "chat.completion",
      model: request.body.model,
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      usage: twoCents,
    }),
  );
};

/** Room for more, or nobody there any more. */
export async function drained(response: ServerResponse): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  controller.abort();
}
