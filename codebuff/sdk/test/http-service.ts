import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A small real service on the loopback, closed with its test. */
export async function httpService(answer: Answer): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const { method = "", url: path = "", headers } = request;
    seen.push({ method, path, headers, body });
    await answer({ method, path, headers, body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

/** A whole Chat Completions answer as bytes. */
export function chatAnswer(
  text: readonly string[],
  { tool, cost }: { tool?: { name: string; arguments: string }; cost?: number } = {},
): string {
  const frame = (choice: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: "gen-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice], ...more })}\n\n`;
  const call =
    tool === undefined
      ? ""
      : frame({
          index: 0,
          delta: { tool_calls: [{ index: 0, id: "c1", type: "function", function: tool }] },
          finish_reason: null,
        });
  return [
    frame({ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }),
    ...text.map((content) => frame({ index: 0, delta: { content }, finish_reason: null })),
    call,
    frame(
      { index: 0, delta: {}, finish_reason: tool === undefined ? "stop" : "tool_calls" },
      { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost } },
    ),
    "data: [DONE]\n\n",
  ].join("");
}

/** A whole Anthropic Messages answer as bytes. */
export function messagesAnswer(text: readonly string[]): string {
  const frame = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  const frames = [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-haiku-4-5",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...text.map((piece) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return frames.map(frame).join("");
}

/** A whole OpenAI Responses answer as bytes. */
export function responsesAnswer(text: string): string {
  const frame = (value: { type: string }, n: number) =>
    `event: ${value.type}\ndata: ${JSON.stringify({ ...value, sequence_number: n })}\n\n`;
  const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5-mini", status: "in_progress" };
  const item = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
  const frames = [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress", content: [] } },
    {
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: text,
      logprobs: [],
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...item, content: [{ type: "output_text", text, annotations: [] }] },
    },
    {
      type: "response.completed",
      response: {
        ...response,
        status: "completed",
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      },
    },
  ];
  return frames.map(frame).join("");
}

export function sendStream(response: ServerResponse, bytes: string | Buffer): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(bytes);
}
