import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";

/** The AI SDK's way to each protocol, pointed at a server of ours. */
export const clients: Record<string, (url: string, fetch?: typeof globalThis.fetch) => LanguageModel> = {
  "anthropic messages": (url) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: "sk-ant-test-000" })("claude-sonnet-4-5"),
  "openai chat completions": (url, fetch = globalThis.fetch) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: "sk-test-000", fetch }).chat("gpt-test"),
  "openai responses": (url, fetch = globalThis.fetch) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: "sk-test-000", fetch }).responses("gpt-test"),
  "openai-compatible": (url, fetch = globalThis.fetch) =>
    createOpenAICompatible({
      name: "compatible",
      baseURL: `${url}/v1`,
      apiKey: "sk-test-000",
      includeUsage: true,
      fetch,
    })("any-model"),
};
