import { RoutesError, readRoutes } from "./read-routes.ts";
import type { Route } from "./route.ts";

const form =
  "provider[:model]=url [key=env:NAME|file:PATH|command:LINE] [fallback=url] [name=NAME] [header=NAME:VALUE]";

/** A `--route` as a row of the table. Throws RoutesError. */
export function readRouteWord(word: string): Route {
  const fail = (problem: string): never => {
    throw new RoutesError(`--route ${word}: ${problem}; the form is ${form}`);
  };
  const [, provider = "", model, rest = ""] =
    /^([\w-]+)(?::([^=\s]+))?=(.*)$/s.exec(word.trim()) ?? fail("no provider");
  const [url = "", ...settings] = rest.split(/\s+(?=(?:key|fallback|name|header)=)/);
  const row: Record<string, unknown> = { provider, url, ...(model !== undefined && { model }) };
  for (const setting of settings) {
    const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(setting) ?? [];
    const [, first = "", second = ""] = /^([^:]*):(.*)$/s.exec(value) ?? [];
    if (name === "key") row.key = { [first]: second };
    else if (name === "header") row.headers = { ...(row.headers as object | undefined), [first]: second };
    else row[name] = value;
  }
  try {
    const [route] = readRoutes(JSON.stringify({ routes: [row] }), "").routes;
    return route ?? fail("no route");
  } catch (error) {
    const [, problem = String(error)] = /routes\[1\]\.?(.*)$/s.exec((error as Error).message) ?? [];
    return fail(problem);
  }
}
