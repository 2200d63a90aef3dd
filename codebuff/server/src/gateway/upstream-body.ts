import type { ChatRequest } from "../gates/chat-request.ts";
import type { Route } from "./route.ts";

/** The request as the provider is to see it: without what is between the client and us, and with usage asked for. */
export function upstreamBody({ body }: ChatRequest, route: Route): string {
  // Several answers are several requests, so n never goes out.
  const { codebuff_metadata: _metadata, provider, usage: _usage, n: _n, ...rest } = body;
  const request: Record<string, unknown> = { ...rest, model: route.model };
  if (route.provider === "openrouter") {
    if (provider !== undefined) request.provider = provider;
    request.usage = { include: true };
  } else if (body.stream === true) {
    const { stream_options: options } = body as { stream_options?: unknown };
    request.stream_options = { ...(typeof options === "object" ? options : {}), include_usage: true };
  }
  if (route.provider === "openai" && request.max_tokens !== undefined) {
    // The newer models refuse the older name.
    request.max_completion_tokens = request.max_tokens;
    delete request.max_tokens;
  }
  return JSON.stringify(request);
}
