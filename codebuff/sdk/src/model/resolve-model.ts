import { covers } from "../oauth/subscription-route.ts";
import { fits, splitModel } from "./model-table.ts";
import { ownFor, usesBackend, type Ways } from "./ways.ts";

const vendors: Readonly<Record<string, string>> = { gemini: "google" };

/** The model an agent really runs on with the keys at hand, written as vendor/model, so that every event tells the truth. */
export function resolveModel(ways: Ways, wanted: string): string {
  if (usesBackend(ways) || ways.subscriptions.some((one) => covers(one, wanted))) return wanted;
  const own = ownFor(ways, wanted);
  if (own === undefined) return wanted;
  const { provider, model } = own;
  if (provider.type === "openrouter") return model;
  if (fits(provider, wanted) && splitModel(wanted).vendor !== undefined) return wanted;
  return `${vendors[provider.name] ?? provider.name}/${model}`;
}
