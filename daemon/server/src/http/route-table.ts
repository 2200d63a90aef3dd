import type { IncomingMessage } from "node:http";
import { Failure, type OperationId, pathsOf } from "@muster/schema/wire";
import { TrieRouter } from "hono/router/trie-router";
import { getPath, getQueryParam, tryDecode } from "hono/utils/url";
import { operations } from "./generated/operations.ts";

export interface Target {
  path: string;
  query: Record<string, string>;
}

/** Also of a request to a proxy, which names the whole address. */
export function targetOf({ url = "" }: IncomingMessage): Target {
  if (!/^(https?:\/)?\//i.test(url)) throw new Failure("invalid_request", "The request is not valid HTTP");
  const whole = url.startsWith("/") ? `http://daemon${url}` : url;
  return { path: getPath({ url: whole } as Request), query: getQueryParam(whole) as Record<string, string> };
}

const operationIds = Object.keys(operations) as OperationId[];

/** The operation a request asks for; undefined when there is none. */
export function findRoute(
  method: string,
  path: string,
): { id: OperationId; params: Record<string, string> } | undefined {
  const [found] = router().match(method === "HEAD" ? "GET" : method, path)[0];
  if (found === undefined) return undefined;
  const params = Object.entries(found[1]).map(([name, text]) => [name, tryDecode(text, decodeURIComponent)]);
  return { id: found[0], params: Object.fromEntries(params) };
}

/** The methods a path takes. */
export function methodsOf(path: string): string[] {
  const methods = new Set(operationIds.map((id) => operations[id].method));
  return [...methods].filter((method) => findRoute(method, path) !== undefined);
}

/** Needs no token. */
export function isPublic(path: string): boolean {
  return publicPaths.has(path);
}

export function isMetrics(path: string): boolean {
  return metricsPaths.has(path);
}

const metricsPaths = new Set(placesOf(operations.metrics.path));

const publicPaths = new Set(
  operationIds.flatMap((id) => {
    const { isPublic, path } = operations[id];
    return isPublic ? placesOf(path) : [];
  }),
);

let routes: TrieRouter<OperationId> | undefined;

function router(): TrieRouter<OperationId> {
  if (routes !== undefined) return routes;
  routes = new TrieRouter();
  for (const id of operationIds) {
    const operation = operations[id];
    const paths = pathsOf(operation).map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1"));
    for (const place of paths.flatMap(placesOf)) routes.add(operation.method, place, id);
  }
  return routes;
}

/** At the root and under /v1, which is the root with or without its last slash. */
function placesOf(path: string): string[] {
  return path === "/" ? ["/", "/v1", "/v1/"] : [path, `/v1${path}`];
}
