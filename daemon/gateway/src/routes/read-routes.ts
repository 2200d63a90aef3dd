import { modelKey, type Rates } from "@muster/metering";
import { isMap, LineCounter, parseDocument } from "yaml";
import type { KeySource } from "./key-source.ts";
import type { Route, RouteTable, RouteUpstream } from "./route.ts";

/** A file of routes that cannot be used: one line that names the place. */
export class RoutesError extends Error {
  override readonly name = "RoutesError";
}

type Path = readonly (string | number)[];
type Fail = (path: Path, problem: string) => never;
type Fields = Readonly<Record<string, unknown>>;

/** Pure: the routes and prices that a YAML text says. Throws RoutesError, the first fault with its line. */
export function readRoutes(text: string, file: string): RouteTable {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const [first = ""] = broken.message.split("\n");
    throw new RoutesError(`${file}:${lines.linePos(broken.pos[0]).line}: ${first.replace(/ at line .*$/, "")}`);
  }
  const fail: Fail = (path, problem) => {
    const named = path.map((step) => (typeof step === "number" ? `[${step + 1}]` : `.${step}`)).join("");
    throw new RoutesError(`${file}:${lineOf(path)}: ${named.replace(/^\./, "") || "the file"} ${problem}`);
  };
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  if (document.contents === null) return { routes: [], prices: {} };
  if (!isMap(document.contents)) fail([], "must have routes: or prices: at its top");
  const top = fieldsOf(document.toJS({ maxAliasCount: 100 }), [], ["routes", "prices"], fail);
  const routes = listOf(top.routes ?? [], ["routes"], fail).map((route, at) => readRoute(route, ["routes", at], fail));
  return { routes, prices: readPrices(top.prices ?? {}, fail) };
}

function readRoute(value: unknown, path: Path, fail: Fail): Route {
  const names = ["name", "provider", "model", "url", "key", "headers", "fallback"];
  const fields = fieldsOf(value, path, names, fail);
  const { fallback } = fields;
  const main = readUpstream(fields, path, fail);
  const others = (fallback === undefined ? [] : [fallback].flat()).map((one, at): RouteUpstream => {
    const place = Array.isArray(fallback) ? [...path, "fallback", at] : [...path, "fallback"];
    // Only an address: the same key is for both.
    if (typeof one === "string") return { ...main, url: urlOf(one, place, fail) };
    return readUpstream(fieldsOf(one, place, ["url", "key", "headers"], fail), place, fail);
  });
  return {
    name: fields.name === undefined ? undefined : textOf(fields.name, [...path, "name"], fail),
    provider: textOf(fields.provider, [...path, "provider"], fail),
    model: fields.model === undefined ? "*" : textOf(fields.model, [...path, "model"], fail),
    upstreams: [main, ...others],
  };
}

function readUpstream({ url, key, headers }: Fields, path: Path, fail: Fail): RouteUpstream {
  return {
    url: urlOf(url, [...path, "url"], fail),
    key: key === undefined ? undefined : readKey(key, [...path, "key"], fail),
    headers: headers === undefined ? {} : readHeaders(headers, [...path, "headers"], fail),
  };
}

function readKey(value: unknown, path: Path, fail: Fail): KeySource {
  const fields = fieldsOf(value, path, ["env", "file", "command"], fail);
  const [[kind, from] = [], ...more] = Object.entries(fields);
  if (kind === undefined || more.length > 0) return fail(path, "needs one of env, file and command");
  const text = textOf(from, [...path, kind], fail);
  return kind === "env" ? { env: text } : kind === "file" ? { file: text } : { command: text };
}

function readHeaders(value: unknown, path: Path, fail: Fail): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value, path, undefined, fail)).map(([name, content]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail([...path, name], "is no name of a header");
      const text = textOf(content, [...path, name], fail);
      if (/[\r\n\0]/.test(text)) fail([...path, name], "must be one line");
      return [name.toLowerCase(), text];
    }),
  );
}

const rateNames = ["input", "output", "cachedInput", "cacheWrite", "longCacheWrite"] as const;

function readPrices(value: unknown, fail: Fail): Record<string, Rates> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value, ["prices"], undefined, fail)).map(([model, given]) => {
      const path = ["prices", model];
      const rates = fieldsOf(given, path, rateNames, fail);
      for (const name of ["input", "output"]) {
        if (rates[name] === undefined) fail(path, `needs ${name}: dollars for a million tokens`);
      }
      for (const [name, rate] of Object.entries(rates)) {
        if (typeof rate === "number" && rate >= 0 && rate <= 100_000) continue;
        fail([...path, name], "must be dollars for a million tokens, from 0 to 100000");
      }
      return [modelKey(model), rates as unknown as Rates];
    }),
  );
}

function fieldsOf(value: unknown, path: Path, names: readonly string[] | undefined, fail: Fail): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(path, "must have fields");
  const unknown = names && Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) fail([...path, unknown], `is not known; known are ${names?.join(", ")}`);
  return value as Fields;
}

function listOf(value: unknown, path: Path, fail: Fail): readonly unknown[] {
  return Array.isArray(value) ? value : fail(path, "must be a list");
}

function textOf(value: unknown, path: Path, fail: Fail): string {
  if (value === undefined || value === null) return fail(path, "is missing");
  return typeof value === "string" && value !== "" ? value : fail(path, "must be a text");
}

function urlOf(value: unknown, path: Path, fail: Fail): URL {
  const text = textOf(value, path, fail);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return fail(path, "must be an http or https URL");
  if (url.username !== "" || url.password !== "") return fail(path, "must not hold a password; use key:");
  if (url.search !== "" || url.hash !== "") return fail(path, "must have no query");
  return url;
}
