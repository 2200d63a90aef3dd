import { lstatSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf } from "@muster/core";
import { isMissing } from "../files/access/project.ts";
import type { FileSource } from "./file-source.ts";

const mostFiles = 20_000;
/** Neither searched nor shown anywhere else. */
const leftOut = new Set([".git", "node_modules"]);

/** What was the same on both sides the last time. */
interface Known {
  readonly source: string;
  readonly mirror: string;
}

/**
 * A virtual project as a private directory, so that every tool works on it as on any other: brought up to date before a
 * call, its changes carried back after one. A file that changed on the other side meanwhile is never overwritten.
 */
export class Mirror {
  readonly root: string;
  /** Beside the project and gone with it: nothing of a virtual project stays on the disk. */
  readonly cacheDirectory: string;
  readonly #source: FileSource;
  readonly #sourceRoot: string;
  readonly #known = new Map<string, Known>();
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(root: string, source: FileSource, sourceRoot: string) {
    this.root = root;
    this.cacheDirectory = path.join(path.dirname(root), ".cache");
    this.#source = source;
    this.#sourceRoot = sourceRoot;
  }

  static async open(source: FileSource, sourceRoot: string): Promise<Mirror> {
    const around = await mkdtemp(path.join(await realpath(tmpdir()), "codebuff-virtual-"));
    const root = path.join(around, path.basename(sourceRoot) || "project");
    await mkdir(root);
    return new Mirror(root, source, sourceRoot);
  }

  /** Brings what changed in the source; what was changed here and is not carried back yet stays. */
  pull(): Promise<void> {
    return this.#inTurn(async () => {
      const found = new Set(await this.#listSource());
      for (const name of [...this.#known.keys()]) if (!found.has(name)) await this.#drop(name);
      for (const name of found) {
        const version = await this.#sourceVersion(name);
        if (version !== undefined && this.#known.get(name)?.source !== version) await this.#fetch(name, version);
      }
    });
  }

  /** Carries changes back. One that the source refuses is undone here too, and the first refusal is thrown. */
  push(): Promise<void> {
    return this.#inTurn(async () => {
      const here = new Set(listBelow(this.root));
      const refusals: string[] = [];
      const carry = async (name: string, work: () => Promise<void>) => {
        if (this.#known.get(name)?.source !== (await this.#sourceVersion(name))) {
          refusals.push(`${name} was changed by somebody else meanwhile; read it again`);
          await this.#drop(name);
          return;
        }
        try {
          await work();
        } catch (error) {
          refusals.push(`${name} cannot be written: ${messageOf(error)}`);
          await this.#drop(name);
        }
      };
      for (const name of here) {
        if (this.#known.get(name)?.mirror !== this.#mirrorVersion(name)) await carry(name, () => this.#send(name));
      }
      for (const name of [...this.#known.keys()]) {
        if (!here.has(name)) await carry(name, () => this.#unlink(name));
      }
      if (refusals.length > 0) throw new Error(refusals.join("; "));
    });
  }

  async close(): Promise<void> {
    await this.#queue;
    await rm(path.dirname(this.root), { recursive: true, force: true });
  }

  async #listSource(): Promise<string[]> {
    const files: string[] = [];
    const waiting = [""];
    for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
      const entries = await this.#source.readdir(this.#at(directory), { withFileTypes: true });
      for (const entry of entries) {
        const name = directory === "" ? entry.name : `${directory}/${entry.name}`;
        if (leftOut.has(entry.name) || entry.name === ".." || entry.name.includes("/")) continue;
        if (entry.isDirectory()) waiting.push(name);
        else if (entry.isFile()) files.push(name);
      }
      if (files.length > mostFiles) throw new Error(`The virtual project has more than ${mostFiles} files`);
    }
    return files;
  }

  async #fetch(name: string, source: string): Promise<void> {
    const content = await this.#source.readFile(this.#at(name));
    const file = path.join(this.root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    this.#known.set(name, { source, mirror: this.#mirrorVersion(name) });
  }

  async #send(name: string): Promise<void> {
    const mirror = this.#mirrorVersion(name);
    const content = await readFile(path.join(this.root, name));
    await this.#source.mkdir(path.posix.dirname(this.#at(name)), { recursive: true });
    await this.#source.writeFile(this.#at(name), content);
    this.#known.set(name, { source: (await this.#sourceVersion(name)) ?? "", mirror });
  }

  async #unlink(name: string): Promise<void> {
    await this.#source.unlink(this.#at(name));
    this.#known.delete(name);
  }

  /** Forgotten here; the next pull brings what the source has. */
  async #drop(name: string): Promise<void> {
    this.#known.delete(name);
    await rm(path.join(this.root, name), { force: true });
  }

  async #sourceVersion(name: string): Promise<string | undefined> {
    try {
      const { size, mtimeMs } = await this.#source.stat(this.#at(name));
      return `${size}:${mtimeMs}`;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #mirrorVersion(name: string): string {
    const { ino, size, mtimeNs } = lstatSync(path.join(this.root, name), { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  }

  #at(name: string): string {
    return name === "" ? this.#sourceRoot : `${this.#sourceRoot.replace(/\/$/, "")}/${name}`;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function listBelow(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}
