import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { readHeader } from "./session-reader.ts";

export interface RecentProject {
  readonly cwd: string;
  /** When its last session was begun. */
  readonly lastUsed: number;
}

/** Directories that still exist and have sessions, the one where a session was begun last first. */
export async function recentProjects({ home = homedir(), most = 9 } = {}): Promise<RecentProject[]> {
  const projects = join(home, ".codebuff", "projects");
  const names = await readdir(projects).catch(() => []);
  const folders = await Promise.all(
    names.map(async (name) => {
      const folder = join(projects, name, "sessions");
      return { folder, lastUsed: (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const found: RecentProject[] = [];
  for (const { folder, lastUsed } of folders.sort((one, other) => other.lastUsed - one.lastUsed)) {
    if (found.length === most) break;
    const cwd = await directoryOf(folder);
    if (cwd !== undefined) found.push({ cwd, lastUsed });
  }
  return found;
}

/** Any session of a project tells where it lies. */
async function directoryOf(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith(".jsonl")).slice(0, 3)) {
    const header = await readHeader(folder, basename(name, ".jsonl")).catch(() => undefined);
    if (header === undefined) continue;
    const isThere = (await stat(header.cwd).catch(() => undefined))?.isDirectory() === true;
    return isThere ? header.cwd : undefined;
  }
  return undefined;
}
