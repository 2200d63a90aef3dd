import { noCost } from "@muster/codebuff-runtime";
import { ModelFailure, shownAddress } from "../model-failure.ts";
import type { Subscription } from "../oauth/subscription.ts";
import type { OauthName } from "../oauth/token-file.ts";
import { callOptions, languageModel } from "./language-models.ts";
import { splitModel } from "./model-table.ts";
import { providerOptions } from "./provider-options.ts";
import { readStream } from "./read-stream.ts";
import { Reckoning } from "./reckoning.ts";
import type { Route } from "./route.ts";
import { protocols, usageOf } from "./usage.ts";

const services = {
  claude: { vendor: "anthropic", type: "anthropic", models: ["claude*"], path: "/v1" },
  chatgpt: { vendor: "openai", type: "openai", models: ["gpt*", "o*", "codex*"], path: "" },
} as const satisfies Record<OauthName, { vendor: string; type: string; models: string[]; path: string }>;

/** Whether a subscription covers this model. */
export function covers({ name, config }: Subscription, wanted: string): boolean {
  const { vendor, model } = splitModel(wanted);
  const service = services[name];
  if (vendor !== undefined && vendor !== service.vendor) return false;
  return (config.models ?? service.models).some((pattern) => matches(pattern, model));
}

/** Straight to the vendor with the person's token: no credits, no metadata of ours, one try. */
export function subscriptionRoute(subscription: Subscription, wanted: string): Route {
  const { name, config } = subscription;
  const { type, path } = services[name];
  const { model } = splitModel(wanted);
  const wireModel = type === "anthropic" ? model.replaceAll(".", "-") : model;
  let used: string | undefined;
  return {
    kind: "oauth",
    name,
    model: wireModel,
    address: shownAddress(config.apiBaseUrl),
    async *attempt(request, signal) {
      used = await subscription.accessToken();
      if (used === undefined) throw new ModelFailure("auth", `The ${name} subscription is not connected any more`);
      const baseUrl = config.apiBaseUrl.replace(/\/+$/, "") + path;
      const service = await languageModel({ type, baseUrl, apiKey: undefined, authToken: used }, wireModel);
      const options = { ...callOptions(request, signal), providerOptions: providerOptions(type, request) };
      yield* readStream(service, options, {
        settle: ({ usage }) => ({ usage: usageOf(usage), cost: noCost }),
        reckoning: new Reckoning(request, { protocol: protocols[type], costOf: () => noCost }),
      });
    },
    refresh: () => subscription.renew(used),
    block: (untilMs) => subscription.block(untilMs),
  };
}

function matches(pattern: string, model: string): boolean {
  const source = pattern.replace(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${source}$`).test(model);
}
