import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { messageOf } from "@muster/core";
import { readRegular, SerialQueue } from "@muster/node";
import { Failure } from "@muster/schema/wire";
import type { GatewayLog } from "../log.ts";
import { RoutesError, readRoutes } from "./read-routes.ts";
import { noRoutes, type Route, type RouteTable, routeFor } from "./route.ts";
import { readRouteWord } from "./route-word.ts";

/** An editor writes a file in several steps; they are read as one. */
const settleMs = 50;

interface RoutesOptions {
  readonly file?: string | undefined;
  readonly words?: readonly string[] | undefined;
  readonly log: GatewayLog;
}

/** The routes that hold now: those of the command line, then those of the file, which is read again when it changes. */
export class Routes {
  readonly #options: RoutesOptions;
  readonly #words: readonly Route[];
  readonly #reads = new SerialQueue();
  #table: RouteTable = noRoutes;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: RoutesOptions) {
    this.#options = options;
    this.#words = (options.words ?? []).map(readRouteWord);
  }

  /** Throws RoutesError for a file or a word that cannot be used: nobody is served by half of his routes. */
  static async open(options: RoutesOptions): Promise<Routes> {
    const routes = new Routes(options);
    routes.#table = await routes.#read();
    routes.#watch();
    return routes;
  }

  get table(): RouteTable {
    return this.#table;
  }

  routeFor(asked: { provider: string; model: string | undefined; name: string | undefined }): Route | undefined {
    return routeFor(this.#table, asked);
  }

  /** A name that a session chose and nobody wrote down is told when its agent is started, not at its first request. */
  checkName(name: string | undefined): void {
    if (name === undefined || this.#table.routes.some((route) => route.name === name)) return;
    const names = [...new Set(this.#table.routes.flatMap((route) => route.name ?? []))];
    const known = names.length === 0 ? "no route has a name" : `there are ${names.join(", ")}`;
    throw new Failure("invalid_request", `There is no route ${name}; ${known}`, { route: name });
  }

  /** Reads the file again. A wrong one changes nothing and is told in one line. */
  reload(): Promise<{ problem?: string }> {
    return this.#reads.run(async () => {
      try {
        this.#table = await this.#read();
        this.#options.log("info", "the routes were read", { routes: this.#table.routes.length });
        return {};
      } catch (error) {
        const problem = messageOf(error);
        this.#options.log("error", `the routes stay as they were: ${problem}`);
        return { problem };
      }
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  async #read(): Promise<RouteTable> {
    const { file } = this.#options;
    const read = file === undefined ? noRoutes : readRoutes(await textOf(file), file);
    return { ...read, routes: [...this.#words, ...read.routes] };
  }

  /** The folder is watched and not the file: most editors put a new file in its place. */
  #watch(): void {
    const { file } = this.#options;
    if (file === undefined) return;
    try {
      this.#watcher = watch(dirname(file), { persistent: false }, (_, name) => {
        if (name !== null && name !== basename(file)) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.reload(), settleMs);
        this.#timer.unref();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch (error) {
      this.#options.log("warn", `changes of ${file} are not seen: ${messageOf(error)}`);
    }
  }
}

/** A file that is not there says nothing, so that one may be written later. */
async function textOf(file: string): Promise<string> {
  try {
    return (await readRegular(file)).toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "";
    throw new RoutesError(`${file}: cannot be read (${code ?? messageOf(error)})`);
  }
}
