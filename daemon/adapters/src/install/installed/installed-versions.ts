import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { replaceFile } from "@muster/node";
import { z } from "zod";
import { hashFile } from "../release/integrity.ts";
import { sortVersions } from "../release/sort-versions.ts";

/** `<version>/install.json`: the version exists from the moment this file does, and is what it says. */
export const InstallRecord = z.object({
  format: z.literal(1),
  version: z.string(),
  source: z.string(),
  url: z.string(),
  verifiedBy: z.string(),
  /** Of the downloaded file, base64. */
  downloadSha256: z.string(),
  /** Relative to the folder of the version. */
  program: z.string(),
  programSha256: z.string(),
  programBytes: z.number(),
  installedAt: z.string(),
});
export type InstallRecord = z.infer<typeof InstallRecord>;

/** The versions of one agent below the data directory, several side by side. */
export class InstalledVersions {
  readonly #root: string;

  constructor(dataDirectory: string, agent: string) {
    this.#root = join(dataDirectory, "agents", agent);
  }

  get downloads(): string {
    return join(this.#root, "downloads");
  }

  folderOf(version: string): string {
    return join(this.#root, version);
  }

  programOf({ version, program }: InstallRecord): string {
    return join(this.folderOf(version), program);
  }

  /** A version whose program is there; undefined for anything half there. */
  async get(version: string): Promise<InstallRecord | undefined> {
    const record = await this.record(version);
    const found = record && (await stat(this.programOf(record)).catch(() => undefined));
    return found?.isFile() && found.size === record?.programBytes ? record : undefined;
  }

  async record(version: string): Promise<InstallRecord | undefined> {
    // A record that cannot be read is no record.
    const text = await readFile(this.#recordFile(version), "utf8").catch(() => "null");
    const { data } = InstallRecord.safeParse(parseJson(text));
    return data?.version === version ? data : undefined;
  }

  /** Newest first. */
  async all(): Promise<InstallRecord[]> {
    // No folder is no version.
    const names = await readdir(this.#root).catch(() => []);
    const records = (await sortVersions(names)).reverse().map((name) => this.get(name));
    return (await Promise.all(records)).filter((record) => record !== undefined);
  }

  /** Whether the program is still the one that was installed. Read once for each state of the file. */
  async isIntact(record: InstallRecord): Promise<boolean> {
    const path = this.programOf(record);
    const { ino, size, mtimeMs } = await stat(path);
    const key = [path, ino, size, mtimeMs, record.programSha256].join("\0");
    if (intact.has(key)) return true;
    if ((await hashFile(path, "sha256")) !== record.programSha256) return false;
    intact.add(key);
    return true;
  }

  /** Makes a version what the record says, at once: before the rename it is the old one, after it the new one. */
  async commit(record: InstallRecord): Promise<void> {
    const path = this.#recordFile(record.version);
    await replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, { isDurable: true });
  }

  /** A folder for new content of a version; nothing of it counts before `commit`. */
  async newFolder(version: string, name: string): Promise<string> {
    const path = join(this.folderOf(version), name);
    // Agents may run as another user than the daemon.
    await mkdir(path, { recursive: true, mode: 0o755 });
    return path;
  }

  /** Removes one version, or everything; gives the versions that are gone. */
  async remove(only?: string): Promise<string[]> {
    // No folder is no version.
    const names = await readdir(this.#root).catch(() => []);
    const versions = await sortVersions(names.filter((name) => name !== "downloads"));
    const removed = versions.filter((version) => only === undefined || version === only);
    for (const version of removed) {
      // The record first: a version is there as long as its record is.
      await rm(this.#recordFile(version), { force: true });
      await rm(this.folderOf(version), { recursive: true, force: true });
    }
    if (only === undefined) await rm(this.#root, { recursive: true, force: true });
    return removed;
  }

  /** Removes what no record names: what crashes and replaced installs have left. Only while nothing is being installed. */
  async sweep(): Promise<void> {
    // What cannot be listed has nothing to remove.
    for (const version of await readdir(this.#root).catch(() => [])) {
      if (version === "downloads") continue;
      const record = await this.record(version);
      const kept = ["install.json", record?.program.split("/")[0]];
      for (const name of await readdir(this.folderOf(version)).catch(() => [])) {
        if (!kept.includes(name)) await rm(join(this.folderOf(version), name), { recursive: true, force: true });
      }
      if (!record) await rm(this.folderOf(version), { recursive: true, force: true });
    }
  }

  #recordFile(version: string): string {
    return join(this.folderOf(version), "install.json");
  }
}

const intact = new Set<string>();
