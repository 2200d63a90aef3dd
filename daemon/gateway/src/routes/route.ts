import type { OwnPrices } from "@muster/metering";
import type { KeySource } from "./key-source.ts";

/** Where requests of a provider go, when the session has no address of its own. */
export interface Route {
  /** Used only by sessions that choose it by this name. */
  readonly name?: string | undefined;
  readonly provider: string;
  /** A model's name; `*` stands for any characters. */
  readonly model: string;
  readonly upstreams: readonly [RouteUpstream, ...RouteUpstream[]];
}

/** The first one is asked; each of the others when no connection to the one before comes about. */
export interface RouteUpstream {
  readonly url: URL;
  readonly key?: KeySource | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RouteTable {
  readonly routes: readonly Route[];
  /** By `modelKey`. */
  readonly prices: OwnPrices;
}

export const noRoutes: RouteTable = { routes: [], prices: {} };

/** The first that fits: with a name only routes of that name, without one only those that have none. */
export function routeFor(
  { routes }: RouteTable,
  asked: { provider: string; model: string | undefined; name: string | undefined },
): Route | undefined {
  const fits = (route: Route) => route.provider === asked.provider && matchesModel(route.model, asked.model);
  const chosen = routes.find((route) => asked.name !== undefined && route.name === asked.name && fits(route));
  return chosen ?? routes.find((route) => route.name === undefined && fits(route));
}

function matchesModel(pattern: string, model: string | undefined): boolean {
  if (pattern === "*") return true;
  if (model === undefined) return false;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i").test(model);
}
