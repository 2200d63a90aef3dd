import { clientHeader } from "../backend/client-header.ts";
import { shownAddress } from "../model-failure.ts";
import { callOptions, languageModel } from "./language-models.ts";
import { json } from "./provider-options.ts";
import { readStream } from "./read-stream.ts";
import { Reckoning } from "./reckoning.ts";
import type { Route } from "./route.ts";
import { billedCost, chargedCost, usageOf } from "./usage.ts";

export interface BackendAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Tells the requests of one session from those of another. */
  readonly clientId: string;
  /** What the server bills by. */
  readonly costMode: string;
}

/** The Codebuff server, which picks the provider, counts credits and has the last word on both. */
export function backendRoute({ baseUrl, apiKey, clientId, costMode }: BackendAccess, model: string): Route {
  return {
    kind: "backend",
    name: "backend",
    model,
    address: shownAddress(baseUrl),
    async *attempt(request, signal) {
      const service = await languageModel(
        { type: "openrouter", baseUrl: `${baseUrl}/api/v1`, apiKey, headers: clientHeader },
        model,
      );
      const { providerOptions: provider = { allow_fallbacks: false }, reasoningOptions: reasoning } = request.agent;
      const metadata = { run_id: request.runId, client_id: clientId, cost_mode: costMode };
      const options = {
        ...callOptions(request, signal),
        providerOptions: { openaiCompatible: json({ codebuff_metadata: metadata, provider, reasoning }) },
      };
      yield* readStream(service, options, {
        settle: ({ usage }) => ({ usage: usageOf(usage), cost: billedCost(usage) }),
        reckoning: new Reckoning(request, { protocol: "chat", costOf: (usage) => chargedCost(model, usage) }),
      });
    },
  };
}
