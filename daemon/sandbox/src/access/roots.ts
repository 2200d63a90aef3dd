import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { isInside } from "@muster/node";
import { Failure } from "@muster/schema/wire";

/** A directory under which files may be reached. */
export interface Root {
  /** Without links. */
  readonly path: string;
  /** As it was named, where that is another path: what is below it may be named so too. */
  readonly alias?: string;
  readonly isReadOnly?: boolean;
}

/** What a call may reach. Plain data: it goes to another process too. */
export interface Reach {
  /** The first is where relative paths begin, if `isRelative`. */
  readonly roots: readonly Root[];
  readonly isRelative: boolean;
  /** Directories that are never entered, whatever root they are below: `device:inode`. */
  readonly denied: readonly string[];
}

/**
 * The directories that may be reached, each bound to where it was when it was first asked for: a link that is put in
 * its place afterwards leads nowhere.
 */
export class AllowedRoots {
  readonly #given: readonly string[] | undefined;
  readonly #bound = new Map<string, string>();
  readonly #neverEntered: readonly string[];

  /** Without `given` every directory that is asked for is allowed: those of the sessions. `neverEntered` are paths. */
  constructor(given: readonly string[] | undefined, neverEntered: readonly string[]) {
    for (const path of given ?? []) {
      if (!isAbsolute(path)) throw new Failure("invalid_request", `The root ${path} is not absolute`);
    }
    this.#given = given;
    this.#neverEntered = neverEntered;
  }

  /** Whether the person who started the daemon has named roots. */
  get areGiven(): boolean {
    return this.#given !== undefined;
  }

  /** What is reached with paths relative to `directory`, and nothing beside it but `readable`. */
  async within(directory: string, readable: readonly string[]): Promise<Reach> {
    const roots = await this.#allowedParts(directory);
    if (roots.length === 0) {
      throw new Failure("path_outside_roots", `The directory ${directory} is not under a root of the daemon`);
    }
    return { roots: [...roots, ...(await this.#readOnly(readable))], isRelative: true, denied: await this.#denied() };
  }

  /** What is reached with absolute paths: the given roots, or these directories. */
  async across(directories: () => Promise<readonly string[]>, isLimited: boolean): Promise<Reach> {
    const asked = isLimited || this.#given === undefined ? await directories() : this.#given;
    const roots: Root[] = [];
    for (const directory of new Set(asked)) roots.push(...(await this.#allowedParts(directory)));
    return { roots, isRelative: false, denied: await this.#denied() };
  }

  /** The parts of a directory that are under the given roots: itself, or the roots that are inside of it. */
  async #allowedParts(directory: string): Promise<Root[]> {
    const path = await this.#bind(directory);
    if (path === undefined) return [];
    const own = { path, ...(path === directory ? {} : { alias: directory }) };
    if (this.#given === undefined) return [own];
    const parts: Root[] = [];
    for (const given of this.#given) {
      const root = await this.#bind(given);
      if (root === undefined) continue;
      if (isInside(root, path)) return [own];
      if (isInside(path, root)) parts.push({ path: root });
    }
    return parts;
  }

  async #readOnly(paths: readonly string[]): Promise<Root[]> {
    const bound = await Promise.all(paths.map((path) => this.#bind(path)));
    return bound.flatMap((path) => (path === undefined ? [] : [{ path, isReadOnly: true }]));
  }

  /** Where a directory is; undefined while it is nowhere. */
  async #bind(directory: string): Promise<string | undefined> {
    const known = this.#bound.get(directory);
    if (known !== undefined) return known;
    const path = await realpath(directory).catch(() => undefined);
    if (path !== undefined) this.#bound.set(directory, path);
    return path;
  }

  async #denied(): Promise<string[]> {
    const found = await Promise.all(
      this.#neverEntered.map((path) => stat(path, { bigint: true }).catch(() => undefined)),
    );
    return found.flatMap((one) => (one === undefined ? [] : [`${one.dev}:${one.ino}`]));
  }
}
