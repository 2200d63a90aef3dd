import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readlinkSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "@muster/core";
import { removeDurably, replaceFile } from "@muster/node";
import { absent, look, obstacleFinder, stampOf } from "../look.ts";
import type { Store } from "../store.ts";
import type { DirectorySteps, FileStep } from "./directory-plan.ts";
import { entryOnDisk } from "./entries.ts";
import { MoveDone } from "./points.ts";

/** A file is not as it was planned: somebody writes it right now. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
  readonly path: string;

  constructor(path: string) {
    super(`${path} was changed meanwhile`);
    this.path = path;
  }
}

/**
 * Moves files from one entry to another. Before the first one is touched all of them are compared with what was planned and
 * the move is written down, so that a kill in its middle is finished at the next start.
 */
export class Mover {
  readonly #store: Store;
  readonly #journal: string;
  readonly #staging: string;

  constructor(store: Store) {
    this.#store = store;
    this.#journal = join(store.sessionDirectory, "move.json");
    this.#staging = join(store.sessionDirectory, "moving");
  }

  /** A move that a kill has cut. */
  async unfinished(): Promise<MoveDone | undefined> {
    const text = await readFile(this.#journal, "utf8").catch(() => undefined);
    return MoveDone.safeParse(parseJson(text)).data;
  }

  /** Throws `ChangedMeanwhile` when something is not as planned; then everything is as it was before. */
  async run(move: MoveDone): Promise<void> {
    const contents = await this.#stage(move.steps);
    try {
      const stamps = await this.#check(move);
      await replaceFile(this.#journal, JSON.stringify(move), { isDurable: true });
      await this.#apply(move, { contents, stamps });
    } finally {
      await rm(this.#staging, { recursive: true, force: true });
    }
  }

  /** Ends a move that a kill has cut. Returns what somebody else has changed since, which stays. */
  async resume(move: MoveDone): Promise<string[]> {
    const { root } = this.#store;
    await this.#removeDrafts(move);
    const left: string[] = [];
    const steps: FileStep[] = [];
    for (const step of move.steps) {
      const entry = await fileOnDisk(root, step.path);
      if (entry === step.to) continue;
      // A file whose new permissions were not set yet is ours all the same.
      if (entry === step.from) steps.push(step);
      else left.push(step.path);
    }
    const contents = await this.#stage(steps);
    try {
      await this.#carryOut(steps, move, { contents, stamps: new Map(), done: [] });
    } finally {
      await rm(this.#staging, { recursive: true, force: true });
    }
    return left;
  }

  /** For a move that cannot be ended. Returns what somebody else has changed since, which stays. */
  async takeBack(move: MoveDone): Promise<string[]> {
    await this.#removeDrafts(move);
    await this.#takeBack(move, move.steps);
    const { root } = this.#store;
    const left: string[] = [];
    for (const { path, from } of move.steps) if ((await fileOnDisk(root, path)) !== from) left.push(path);
    return left;
  }

  /** The move is part of the history now. */
  async settle(): Promise<void> {
    await removeDurably(this.#journal);
  }

  /** Contents of what comes, as files numbered by their step. */
  async #stage(steps: readonly FileStep[]): Promise<ReadonlyMap<string, string>> {
    const { git, sessionDirectory } = this.#store;
    const indexFile = join(sessionDirectory, "moving.index");
    await rm(this.#staging, { recursive: true, force: true });
    await rm(indexFile, { force: true });
    const contents = new Map<string, string>();
    const lines: string[] = [];
    for (const [at, { to, path }] of steps.entries()) {
      if (to === null) continue;
      const [mode = "", name = ""] = to.split(" ");
      contents.set(path, join(this.#staging, String(at)));
      lines.push(`${mode} ${name}\t${at}\0`);
    }
    if (lines.length === 0) return contents;
    await mkdir(this.#staging, { recursive: true, mode: 0o700 });
    try {
      await git.run(["update-index", "-z", "--index-info"], { indexFile, input: lines.join("") });
      await git.run(["checkout-index", "-a", "-f", "-q", `--prefix=${this.#staging}/`], { indexFile });
    } finally {
      await rm(indexFile, { force: true });
    }
    return contents;
  }

  async #check({ steps, directories }: MoveDone): Promise<Map<string, string>> {
    const { root } = this.#store;
    const stamps = new Map<string, string>();
    const removed = new Set(directories.removed);
    for (const { path, from } of steps) {
      // A directory stands there that goes first.
      if (from === null && removed.has(path)) continue;
      const stamp = stampOf(join(root, path));
      if ((await entryOnDisk(root, path)) !== from) throw new ChangedMeanwhile(path);
      stamps.set(path, from === null ? absent : stamp);
    }
    return stamps;
  }

  async #apply(
    move: MoveDone,
    { contents, stamps }: { contents: ReadonlyMap<string, string>; stamps: ReadonlyMap<string, string> },
  ): Promise<void> {
    const done: FileStep[] = [];
    try {
      await this.#carryOut(move.steps, move, { contents, stamps, done });
    } catch (error) {
      await this.#takeBack(move, done);
      await this.settle();
      throw error;
    }
  }

  /** What was done is undone; what somebody has changed since stays as he has it. */
  async #takeBack(move: MoveDone, done: readonly FileStep[]): Promise<void> {
    const { root } = this.#store;
    const steps: FileStep[] = [];
    for (const { path, from, to } of done) {
      if ((await fileOnDisk(root, path)) === to) steps.push({ path, from: to, to: from });
    }
    const contents = await this.#stage(steps);
    await this.#carryOut(steps, invertDirectories(move), { contents, stamps: new Map(), done: [] });
  }

  async #carryOut(
    steps: readonly FileStep[],
    { token, directories }: Pick<MoveDone, "token" | "directories">,
    state: { contents: ReadonlyMap<string, string>; stamps: ReadonlyMap<string, string>; done: FileStep[] },
  ): Promise<void> {
    const { root } = this.#store;
    const reopen = openDirectories(root, steps, directories);
    const check = (path: string) => {
      if (obstacleFinder(root)(path) !== null) throw new ChangedMeanwhile(path);
      const stamp = state.stamps.get(path);
      if (stamp !== undefined && stampOf(join(root, path)) !== stamp) throw new ChangedMeanwhile(path);
    };
    try {
      for (const step of steps.filter(({ to }) => to === null)) {
        check(step.path);
        await unlink(join(root, step.path));
        state.done.push(step);
      }
      // One that somebody has put something into stays.
      for (const path of directories.removed) await rmdir(join(root, path)).catch(() => {});
      for (const path of directories.made) await mkdir(join(root, path), { recursive: true });
      for (const [at, step] of steps.entries()) {
        if (step.to === null) continue;
        check(step.path);
        await this.#put(step, { content: state.contents.get(step.path), draft: draftName(token, at) });
        state.done.push(step);
      }
    } finally {
      reopen();
    }
    for (const { path, to } of directories.modes.toReversed()) await chmod(join(root, path), to).catch(() => {});
  }

  /** The new content stands beside its place before it takes it, so that nobody ever reads a part of it. */
  async #put(
    { path, from, to }: FileStep,
    { content, draft }: { content: string | undefined; draft: string },
  ): Promise<void> {
    const file = join(this.#store.root, path);
    const [mode = "", name = "", permissions = ""] = (to ?? "").split(" ");
    const [oldMode = "", oldName = ""] = (from ?? "").split(" ");
    if (name === oldName && mode !== "120000" && oldMode !== "120000") {
      return chmod(file, Number.parseInt(permissions, 8));
    }
    if (content === undefined) throw new Error(`The content of ${path} is not there`);
    const beside = join(dirname(file), draft);
    if (mode === "120000") await symlink(readlinkSync(content, "buffer"), beside);
    else {
      await rename(content, beside).catch(() => copyFile(content, beside));
      await chmod(beside, Number.parseInt(permissions, 8));
    }
    await rename(beside, file);
  }

  async #removeDrafts(move: MoveDone): Promise<void> {
    const { root } = this.#store;
    const prefix = draftPrefix(move.token);
    for (const directory of new Set(move.steps.map(({ path }) => dirname(path)))) {
      const names = await readdir(join(root, directory)).catch(() => []);
      for (const name of names.filter((one) => one.startsWith(prefix))) {
        await rm(join(root, directory, name), { force: true });
      }
    }
  }
}

/** Where a directory stands no file does: it has not gone yet, or has come already. */
async function fileOnDisk(root: string, path: string): Promise<string | null> {
  return look(join(root, path))?.isDirectory() === true ? null : entryOnDisk(root, path);
}

export function newToken(): string {
  return randomBytes(8).toString("hex");
}

function draftPrefix(token: string): string {
  return `.moving-${token}-`;
}

function draftName(token: string, at: number): string {
  return `${draftPrefix(token)}${at}`;
}

function invertDirectories({ token, directories }: MoveDone): Pick<MoveDone, "token" | "directories"> {
  const { removed, made, modes, modesOfRemoved } = directories;
  const back = modes.flatMap(({ path, from, to }) => (from === null ? [] : [{ path, from: to, to: from }]));
  const remade = modesOfRemoved.map(({ path, mode }) => ({ path, from: null, to: mode }));
  return {
    token,
    directories: {
      removed: made.toReversed(),
      made: removed.toReversed(),
      modes: [...remade, ...back],
      modesOfRemoved: [],
    },
  };
}

/** Directories closed to writing are opened for the time of the move; the returned function closes them again. */
function openDirectories(root: string, steps: readonly FileStep[], directories: DirectorySteps): () => void {
  const paths = [...steps.map(({ path }) => path), ...directories.removed, ...directories.made];
  const closed: [string, number][] = [];
  for (const path of new Set(paths.map((one) => dirname(one)))) {
    const stat = look(join(root, path));
    if (stat?.isDirectory() !== true || (stat.mode & 0o300) === 0o300) continue;
    closed.push([join(root, path), stat.mode & 0o7777]);
    chmodSync(join(root, path), (stat.mode & 0o7777) | 0o700);
  }
  return () => {
    for (const [path, mode] of closed) {
      try {
        if (lstatSync(path).isDirectory()) chmodSync(path, mode);
      } catch {
        // It went with the move.
      }
    }
  };
}
