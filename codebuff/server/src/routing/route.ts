import { priceOf } from "@muster/metering";
import type { Config, Provider, ProviderName } from "../config.ts";
import { Refusal } from "../refusal.ts";

export interface Route {
  readonly provider: ProviderName;
  readonly url: URL;
  readonly apiKey: string;
  /** The name by which the provider knows the model. */
  readonly model: string;
}

/** Models that Fireworks serves, under its names. */
const fireworksModels: Readonly<Record<string, string>> = {
  "moonshotai/kimi-k2": "accounts/fireworks/models/kimi-k2-instruct",
  "deepseek/deepseek-chat-v3.1": "accounts/fireworks/models/deepseek-v3p1",
  "z-ai/glm-4.6": "accounts/fireworks/models/glm-4p6",
  "minimax/minimax-m2": "accounts/fireworks/models/minimax-m2",
};

/** G8: Fireworks for what it serves, OpenAI for its models with a known price, OpenRouter for all others; or why none. */
export function chooseRoute(model: string, ownKey: string | undefined, config: Config): Route | Refusal {
  if (ownKey !== undefined) return routeTo("openrouter", model, { ...config.providers.openrouter, apiKey: ownKey });
  const onFireworks = Object.hasOwn(fireworksModels, model) ? fireworksModels[model] : undefined;
  if (onFireworks !== undefined) return routeTo("fireworks", onFireworks, config.providers.fireworks);
  if (model.startsWith("openai/") && priceOf(model, new Date(), config.prices) !== undefined) {
    return routeTo("openai", model.slice("openai/".length), config.providers.openai);
  }
  return routeTo("openrouter", model, config.providers.openrouter);
}

function routeTo(provider: ProviderName, model: string, { baseUrl, apiKey }: Provider): Route | Refusal {
  if (apiKey === undefined) {
    const variable = `${provider.toUpperCase()}_API_KEY`;
    return new Refusal(503, `The model ${model} is served by ${provider}, which is off here: set ${variable}`);
  }
  return { provider, model, apiKey, url: urlOf(baseUrl) };
}

/** There are as many as providers, and each call goes to one of them. */
const urls = new Map<string, URL>();

function urlOf(baseUrl: string): URL {
  const url = urls.get(baseUrl) ?? new URL(`${baseUrl}/v1/chat/completions`);
  urls.set(baseUrl, url);
  return url;
}
