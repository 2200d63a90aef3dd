import type { UpstreamRequest } from "@muster/forwarding";
import type { ChatBody, ChatRequest } from "../admission/chat-request.ts";
import type { Member } from "../http/json-members.ts";
import type { Route } from "../routing/route.ts";

type Asked = Pick<ChatRequest, "isStreaming" | "maxTokens">;

export function upstreamRequest(body: ChatBody, chat: Asked, route: Route): UpstreamRequest {
  const headers = {
    authorization: `Bearer ${route.apiKey}`,
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "accept-encoding": "identity",
    "user-agent": "codebuff-server",
  };
  return { url: route.url, headers, body: upstreamBody(body, chat, route) };
}

/**
 * The request as the provider is to see it: without what is between the client and us, and with usage asked for. All other
 * members go on as they were written.
 */
export function upstreamBody({ json, members }: ChatBody, { isStreaming, maxTokens }: Asked, route: Route): Buffer {
  const find = (key: string) => members.find((member) => member.key === key);
  const textOf = ({ valueFrom, to }: Member) => json.toString("utf8", valueFrom, to);
  // Several answers are several requests, so n never goes out. What is asked for is what is held for, whoever named it.
  const left = new Set(["model", "codebuff_metadata", "usage", "n", "max_tokens", "max_completion_tokens"]);
  // The newer models of OpenAI refuse the older name.
  const most = route.provider === "openai" ? "max_completion_tokens" : "max_tokens";
  const added = [`"model":${JSON.stringify(route.model)}`, `"${most}":${maxTokens}`];
  if (route.provider === "openrouter") added.push('"usage":{"include":true}');
  else {
    left.add("provider");
    if (isStreaming) {
      const options = find("stream_options");
      left.add("stream_options");
      const asked: unknown = options && JSON.parse(textOf(options));
      added.push(
        `"stream_options":${JSON.stringify({ ...(typeof asked === "object" ? asked : {}), include_usage: true })}`,
      );
    }
  }
  const parts: Buffer[] = [Buffer.from(`{${added.join(",")}`)];
  for (const { key, from, to } of members) {
    if (!left.has(key)) parts.push(comma, json.subarray(from, to));
  }
  return Buffer.concat([...parts, end]);
}

const comma = Buffer.from(",");
const end = Buffer.from("}");
