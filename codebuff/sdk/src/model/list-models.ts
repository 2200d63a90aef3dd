import { priceOf } from "@muster/metering";
import { contextWindow, modelTable } from "./model-table.ts";
import { usesBackend, type Ways } from "./ways.ts";

export interface ListedModel {
  /** As `--model` takes it. */
  readonly id: string;
  readonly provider: string;
  readonly usable: boolean;
  /** Why it cannot be used now. */
  readonly reason: string | undefined;
  readonly contextWindow: number;
  /** Dollars per million tokens; undefined when the table has no price. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
}

/** What can be used now, and why the rest cannot. */
export function listModels(ways: Ways, agentModels: readonly string[]): ListedModel[] {
  const listed: ListedModel[] = [];
  const add = (provider: string, ids: readonly string[], reason: string | undefined) => {
    for (const id of new Set(ids)) {
      const price = priceOf(id);
      listed.push({
        id,
        provider,
        usable: reason === undefined,
        reason,
        contextWindow: contextWindow(id),
        price: price === undefined ? undefined : { input: price.input, output: price.output },
      });
    }
  };
  const backendReason = usesBackend(ways)
    ? undefined
    : ways.credential === undefined
      ? "no Codebuff key: log in or set CODEBUFF_API_KEY"
      : `the provider ${ways.forced} was asked for`;
  add("backend", agentModels, backendReason);
  for (const { name, model } of ways.own) {
    const table = Object.values(modelTable[name] ?? {});
    add(name, model === undefined ? table : [model, ...table], undefined);
  }
  for (const { name, config } of ways.subscriptions) add(name, config.models ?? [], undefined);
  for (const { name, reason } of ways.missing) add(name, Object.values(modelTable[name] ?? {}), reason);
  return listed;
}
