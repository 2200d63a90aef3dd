import { ModelFailure } from "../model-failure.ts";
import { fits, modelTable, splitModel } from "./model-table.ts";
import { covers } from "./subscription-route.ts";
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

/** A model that a person asked for by name is not replaced by another one: where no key at hand serves it, that is said. */
export function checkAsked(ways: Ways, asked: string): void {
  if (usesBackend(ways) || ways.subscriptions.some((one) => covers(one, asked))) return;
  const own = ways.own.filter(({ name }) => ways.forced === undefined || ways.forced === name);
  if (own.length === 0 || own.some((provider) => fits(provider, asked))) return;
  const known = own.flatMap(({ name, model }) => [
    ...(model === undefined ? [] : [model]),
    ...Object.values(modelTable[name] ?? {}),
  ]);
  const whole = own.map(({ name }) => `${name}/…`).join(", ");
  const message = `No key at hand serves the model '${asked}', only ${[...new Set(known)].join(", ")} and full ids (${whole})`;
  throw new ModelFailure("refused", message, { code: "unknown_model" });
}
