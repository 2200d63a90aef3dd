import { priceOf } from "@muster/metering";
import type { Config, ProviderName } from "../config.ts";
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

/** G8: Fireworks for what it serves, OpenAI for its models with a known price, OpenRouter for all others. */
export function chooseRoute(model: string, ownKey: string | undefined, config: Config): Route {
  if (ownKey !== undefined) return routeTo("openrouter", model, { ...config.providers.openrouter, apiKey: ownKey });
  const onFireworks = Object.hasOwn(fireworksModels, model) ? fireworksModels[model] : undefined;
  if (onFireworks !== undefined) return routeTo("fireworks", onFireworks, config.providers.fireworks);
  if (model.startsWith("openai/") && priceOf(model) !== undefined) {
    return routeTo("openai", model.slice("openai/".length), config.providers.openai);
  }
  return routeTo("openrouter", model, config.providers.openrouter);
}

function routeTo(provider: ProviderName, model: string, { baseUrl, apiKey }: Config["providers"][ProviderName]): Route {
  if (apiKey === undefined) {
    const variable = `${provider.toUpperCase()}_API_KEY`;
    throw new Refusal(503, `The model ${model} is served by ${provider}, which is off here: set ${variable}`);
  }
  return { provider, model, apiKey, url: new URL(`${baseUrl}/v1/chat/completions`) };
}
