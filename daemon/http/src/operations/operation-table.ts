import type { Operation } from "@muster/schema";
import { pathsOf } from "@muster/schema/wire";
import { TrieRouter } from "hono/router/trie-router";
import { tryDecode } from "hono/utils/url";
import type { OperationRow } from "./operation-row.ts";

/** What an operation is called with, as schemas. */
export type OperationSchemas = Pick<Operation, "params" | "query" | "body">;

/** The operations of a server: which one a request asks for, and what it has to be called with. */
export class OperationTable<Id extends string> {
  readonly rows: Readonly<Record<Id, OperationRow>>;
  readonly #load: (id: Id) => Promise<OperationSchemas>;
  readonly #loaded = new Map<Id, OperationSchemas>();
  readonly #ids: readonly Id[];
  readonly #publicPaths: ReadonlySet<string>;
  #router: TrieRouter<Id> | undefined;

  constructor(rows: Readonly<Record<Id, OperationRow>>, load: (id: Id) => Promise<OperationSchemas>) {
    this.rows = rows;
    this.#load = load;
    this.#ids = Object.keys(rows) as Id[];
    const open = this.#ids.filter((id) => rows[id].scope === "public");
    this.#publicPaths = new Set(open.flatMap((id) => placesOf(rows[id].path)));
  }

  /** Loaded by the first call of the operation, because no start waits for schemas; there at once from then on. */
  schemasOf(id: Id): OperationSchemas | Promise<OperationSchemas> {
    return this.#loaded.get(id) ?? this.#loadOnce(id);
  }

  async #loadOnce(id: Id): Promise<OperationSchemas> {
    const schemas = await this.#load(id);
    this.#loaded.set(id, schemas);
    return schemas;
  }

  /** The operation a request asks for; undefined when there is none. */
  find(method: string, path: string): { id: Id; params: Record<string, string> } | undefined {
    this.#router ??= this.#makeRouter();
    const [found] = this.#router.match(method === "HEAD" ? "GET" : method, path)[0];
    if (found === undefined) return undefined;
    const params = Object.entries(found[1]).map(([name, text]) => [name, tryDecode(text, decodeURIComponent)]);
    return { id: found[0], params: Object.fromEntries(params) };
  }

  /** The methods a path takes. */
  methodsOf(path: string): string[] {
    const methods = new Set(this.#ids.map((id) => this.rows[id].method));
    return [...methods].filter((method) => this.find(method, path) !== undefined);
  }

  /** Needs no token. */
  isPublic(path: string): boolean {
    return this.#publicPaths.has(path);
  }

  #makeRouter(): TrieRouter<Id> {
    const router = new TrieRouter<Id>();
    for (const id of this.#ids) {
      const row = this.rows[id];
      const paths = pathsOf(row).map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1"));
      for (const place of paths.flatMap(placesOf)) router.add(row.method, place, id);
    }
    return router;
  }
}

/** At the root and under /v1, which is the root with or without its last slash. */
function placesOf(path: string): string[] {
  return path === "/" ? ["/", "/v1", "/v1/"] : [path, `/v1${path}`];
}
