import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "@muster/codebuff-runtime";
import { modelMessages } from "./model-messages.ts";
import type { OwnProvider } from "./own-keys.ts";

export interface ServiceAddress {
  readonly type: OwnProvider["type"];
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** A bearer token in place of a key. */
  readonly authToken?: string;
  readonly headers?: Record<string, string>;
}

/** The provider packages are loaded when first needed: they cost more than everything else of a start. */
export async function languageModel(service: ServiceAddress, model: string): Promise<LanguageModelV3> {
  const { baseUrl: baseURL, apiKey, authToken, headers } = service;
  switch (service.type) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const auth = authToken === undefined ? { apiKey: apiKey ?? "" } : { authToken };
      return createAnthropic({ baseURL, headers, ...auth })(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL, apiKey: authToken ?? apiKey ?? "", headers }).responses(model);
    }
    case "openrouter":
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const transformRequestBody = service.type === "openrouter" ? marksIntoParts : withoutMarks;
      const key = authToken ?? apiKey;
      return createOpenAICompatible({
        name: "openaiCompatible",
        baseURL,
        apiKey: key,
        headers,
        includeUsage: true,
        transformRequestBody,
      })(model);
    }
  }
}

/** Loads the package of the likely provider while the project is read; whoever needs it first waits for it. */
export function warmUp({ own }: { own: readonly Pick<OwnProvider, "type">[] }): void {
  const type = own[0]?.type ?? "openai-compatible";
  const loading = languageModel({ type, baseUrl: "http://127.0.0.1", apiKey: "none" }, "none");
  // A package that cannot be loaded is told by the first request.
  loading.catch(() => undefined);
}

/** What all services are asked alike. */
export function callOptions(request: ModelRequest, signal: AbortSignal): LanguageModelV3CallOptions {
  const { messages, cacheAt, tools, stop, maxTokens } = request;
  return {
    prompt: modelMessages(messages, cacheAt),
    maxOutputTokens: maxTokens,
    stopSequences: stop === undefined || stop.length === 0 ? undefined : [...stop],
    tools: tools.map(({ name, description, inputSchema }) => ({ type: "function", name, description, inputSchema })),
    toolChoice: tools.length === 0 ? undefined : { type: "auto" },
    abortSignal: signal,
  };
}

type Body = Record<string, unknown>;

/** Routers look for cache marks on the parts of a message; the package puts a lone text's mark on the message. */
function marksIntoParts(body: Body): Body {
  return mapMessages(body, ({ cache_control, ...message }) => {
    if (cache_control === undefined) return message;
    if (typeof message.content !== "string" || message.role === "tool") return { ...message, cache_control };
    return { ...message, content: [{ type: "text", text: message.content, cache_control }] };
  });
}

/** Strict services refuse fields they do not know. */
function withoutMarks(body: Body): Body {
  return mapMessages(body, ({ cache_control: _, ...message }) => {
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map(({ cache_control: __, ...part }: Body) => part);
    return { ...message, content };
  });
}

function mapMessages(body: Body, change: (message: Body) => Body): Body {
  return { ...body, messages: (body.messages as Body[]).map(change) };
}
