import { modelKey } from "@muster/metering";
import type { OwnProvider } from "./own-keys.ts";

type Size = "largest" | "large" | "small";

/**
 * Which model stands in for an agent's own when the key at hand is another vendor's. A shipped agent's size is the size of
 * its model; a model of no known size is `large`.
 */
export const modelTable: Readonly<Record<string, Readonly<Record<Size, string>>>> = {
  anthropic: { largest: "claude-opus-4-6", large: "claude-sonnet-4-6", small: "claude-haiku-4-5" },
  openai: { largest: "gpt-5.2", large: "gpt-5.2", small: "gpt-5-mini" },
  openrouter: {
    largest: "anthropic/claude-opus-4.6",
    large: "anthropic/claude-sonnet-4.6",
    small: "anthropic/claude-haiku-4.5",
  },
  gemini: { largest: "gemini-3-pro-preview", large: "gemini-2.5-pro", small: "gemini-2.5-flash" },
};

/** Words of a model's name that tell its size; a size holds when all words of one of its rows are there. */
const sizes: readonly (readonly [Size, readonly (readonly string[])[]])[] = [
  [
    "small",
    [["haiku"], ["mini"], ["nano"], ["flash"], ["fast"], ["lite"], ["glm"], ["kimi"], ["minimax"], ["deepseek"]],
  ],
  ["largest", [["opus"], ["gemini", "3", "pro"]]],
];

/** The model's name at a provider, or undefined when it has none to offer for it. */
export function modelAt(provider: OwnProvider, wanted: string): string | undefined {
  return fitting(provider, wanted) ?? provider.model ?? modelTable[provider.name]?.[sizeOf(wanted)];
}

/** The provider serves this very model. */
export function fits(provider: OwnProvider, wanted: string): boolean {
  return fitting(provider, wanted) !== undefined;
}

function fitting({ name, type }: OwnProvider, wanted: string): string | undefined {
  const { vendor, model } = splitModel(wanted);
  if (type === "openrouter") return vendor === undefined ? undefined : wanted;
  if (vendor === name) return type === "anthropic" ? model.replaceAll(".", "-") : model;
  if (name === "gemini" && vendor === "google") return model;
  if (vendor !== undefined) return undefined;
  if (type === "anthropic") return /^claude/.test(model) ? model.replaceAll(".", "-") : undefined;
  if (type === "openai") return /^(gpt|o\d|codex|chatgpt)/.test(model) ? model : undefined;
  if (name === "gemini") return /^gemini/.test(model) ? model : undefined;
  return model;
}

export function splitModel(model: string): { vendor: string | undefined; model: string } {
  const at = model.indexOf("/");
  return at === -1 ? { vendor: undefined, model } : { vendor: model.slice(0, at), model: model.slice(at + 1) };
}

/** Whole words count: "gemini" is no "mini". */
function sizeOf(model: string): Size {
  const words = new Set(modelKey(model).split(/[^a-z0-9]+/));
  return sizes.find(([, rows]) => rows.some((row) => row.every((word) => words.has(word))))?.[0] ?? "large";
}

/** Tokens a model takes in all; the first row that fits. */
const contextWindows: readonly (readonly [RegExp, number])[] = [
  [/gemini|gpt-4-1/, 1_000_000],
  [/gpt-5|codex/, 400_000],
  [/grok.*fast/, 2_000_000],
  [/grok|kimi|glm/, 256_000],
  [/gpt-4o|o4/, 128_000],
  [/deepseek|minimax/, 160_000],
];

export function contextWindow(model: string): number {
  const key = modelKey(model);
  return contextWindows.find(([pattern]) => pattern.test(key))?.[1] ?? 200_000;
}
