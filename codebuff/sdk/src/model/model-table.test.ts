import { shippedAgents } from "@muster/codebuff-agents";
import { describe, expect, it } from "vitest";
import { modelAt, modelTable } from "./model-table.ts";
import type { OwnProvider } from "./own-keys.ts";

const types = {
  anthropic: "anthropic",
  openai: "openai",
  openrouter: "openrouter",
  gemini: "openai-compatible",
} as const;
const vendors = { anthropic: "anthropic", openai: "openai", openrouter: undefined, gemini: "google" } as const;

const provider = (name: keyof typeof types): OwnProvider => ({
  name,
  type: types[name],
  baseUrl: "http://127.0.0.1",
  apiKey: "x",
  model: undefined,
  source: "test",
});

/** Each model with the size that its name tells. */
const sizes = {
  "anthropic/claude-opus-4.6": "largest",
  "anthropic/claude-sonnet-4.6": "large",
  "anthropic/claude-haiku-4.5": "small",
  "google/gemini-3-pro-preview": "largest",
  "google/gemini-2.5-pro": "large",
  "google/gemini-2.5-flash": "small",
  "google/gemini-2.5-flash-lite": "small",
  "openai/gpt-5.2": "large",
  "openai/gpt-5-mini": "small",
  "openai/gpt-5-nano": "small",
  "openai/o4-mini": "small",
  "openai/gpt-5.1-codex": "large",
  "x-ai/grok-4": "large",
  "x-ai/grok-4-fast": "small",
  "z-ai/glm-4.6": "small",
  "moonshotai/kimi-k2": "small",
  "minimax/minimax-m2": "small",
  "deepseek/deepseek-v3.2": "small",
  "somebody/unheard-of": "large",
} as const;

describe.each(Object.keys(types) as (keyof typeof types)[])("a key of %s", (name) => {
  it.each(Object.entries(sizes))("serves %s by itself, or by a model of its size (%s)", (wanted, size) => {
    const [vendor, model = ""] = wanted.split("/");
    const isOwn = name === "openrouter" || vendor === vendors[name];
    const own = name === "openrouter" ? wanted : name === "anthropic" ? model.replaceAll(".", "-") : model;
    expect(modelAt(provider(name), wanted)).toBe(isOwn ? own : modelTable[name]?.[size]);
  });
});

it("every shipped agent's model has its row", () => {
  const models = [...new Set(shippedAgents.map(({ model }) => model))];
  expect(models.filter((model) => !Object.hasOwn(sizes, model))).toEqual([]);
});
