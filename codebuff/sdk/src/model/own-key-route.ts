import { shownAddress } from "../model-failure.ts";
import { callOptions, languageModel } from "./language-models.ts";
import type { OwnProvider } from "./own-keys.ts";
import { providerOptions } from "./provider-options.ts";
import { readStream } from "./read-stream.ts";
import { Reckoning } from "./reckoning.ts";
import type { Route } from "./route.ts";
import { listCost, ownCost, protocols, usageOf } from "./usage.ts";

/** The person's own key at a vendor, a router, or a service of their own. */
export function ownKeyRoute(provider: OwnProvider, model: string): Route {
  return {
    kind: "own-key",
    name: provider.name,
    model,
    address: shownAddress(provider.baseUrl),
    async *attempt(request, signal) {
      const service = await languageModel(provider, model);
      const options = { ...callOptions(request, signal), providerOptions: providerOptions(provider.type, request) };
      yield* readStream(service, options, {
        settle: ({ usage }) => ({ usage: usageOf(usage), cost: ownCost(model, usage, new Date()) }),
        reckoning: new Reckoning(request, {
          protocol: protocols[provider.type],
          costOf: (usage) => listCost(model, usage, new Date()),
        }),
      });
    },
  };
}
