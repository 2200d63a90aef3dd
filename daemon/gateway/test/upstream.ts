import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as an upstream of a test saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Upstream {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** A provider: a real server that keeps what it was asked. */
export async function startUpstream(
  answer: (request: SeenRequest, response: ServerResponse, count: number) => unknown,
): Promise<Upstream> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks) };
    seen.push(request);
    await answer(request, response, seen.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Frames of server-sent events. */
function framesOf(events: readonly object[], isNamed = false): string {
  return events
    .map((event) => `${isNamed && "type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** A stream of Messages: the input is told first, the output at the end. */
export function messagesStream({ input = 1000, output = 50, texts = ["Hello ", "world"] } = {}): string {
  return framesOf(
    [
      { type: "message_start", message: { id: "msg_1", model: "m", usage: { input_tokens: input, output_tokens: 1 } } },
      ...texts.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: output } },
      { type: "message_stop" },
    ],
    true,
  );
}

function responsesStream({ input = 1000, output = 50, texts = ["Hello ", "world"] } = {}): string {
  const usage = { input_tokens: input, output_tokens: output };
  return framesOf(
    [
      { type: "response.created", response: { id: "resp_1", usage: null } },
      ...texts.map((delta) => ({ type: "response.output_text.delta", delta })),
      { type: "response.completed", response: { id: "resp_1", status: "completed", usage } },
    ],
    true,
  );
}

function chatStream({ input = 1000, output = 50, texts = ["Hello ", "world"] } = {}): string {
  const usage = { prompt_tokens: input, completion_tokens: output };
  return `${framesOf([
    ...texts.map((content) => ({ id: "c", choices: [{ index: 0, delta: { content } }] })),
    { id: "c", choices: [], usage },
  ])}data: [DONE]\n\n`;
}

function geminiStream({ input = 1000, output = 50, texts = ["Hello ", "world"] } = {}): string {
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output };
  return framesOf([
    ...texts.map((text) => ({ candidates: [{ content: { parts: [{ text }], role: "model" } }] })),
    { candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }], usageMetadata },
  ]);
}

/** Each protocol with its path, the header of its key, a body and a whole stream. */
export const protocols = {
  messages: {
    provider: "anthropic",
    path: "/v1/messages?beta=true",
    auth: (key: string): Record<string, string> => ({ "x-api-key": key }),
    body: { model: "claude-sonnet-4-5", max_tokens: 100, stream: true, messages: [{ role: "user", content: "hi ü" }] },
    stream: messagesStream,
  },
  responses: {
    provider: "openai",
    path: "/v1/responses",
    auth: (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` }),
    body: { model: "gpt-5.2", stream: true, input: "hi ü" },
    stream: responsesStream,
  },
  chat: {
    provider: "openai",
    path: "/v1/chat/completions",
    auth: (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` }),
    body: { model: "gpt-5", stream: true, messages: [{ role: "user", content: "hi ü" }] },
    stream: chatStream,
  },
  gemini: {
    provider: "gemini",
    path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    auth: (key: string): Record<string, string> => ({ "x-goog-api-key": key }),
    body: { contents: [{ parts: [{ text: "hi ü" }] }] },
    stream: geminiStream,
  },
} as const;

export type ProtocolName = keyof typeof protocols;
export const protocolNames = Object.keys(protocols) as ProtocolName[];
