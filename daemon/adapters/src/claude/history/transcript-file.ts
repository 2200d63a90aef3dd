import { chown, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "@muster/node";
import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";

/** Where Claude keeps the transcripts of all its projects. */
export function projectsFolder(host: AgentHost, { env }: Pick<OpenOptions, "env">): string {
  const home = host.user?.home ?? env.HOME ?? host.home;
  return join(env.CLAUDE_CONFIG_DIR ?? host.env.CLAUDE_CONFIG_DIR ?? join(home, ".claude"), "projects");
}

/** The transcript of a conversation, in whichever project it lies. */
export async function findTranscript(projects: string, id: string): Promise<string | undefined> {
  const name = `${id}.jsonl`;
  for (const project of await readdir(projects).catch((): string[] => [])) {
    const names = await readdir(join(projects, project)).catch((): string[] => []);
    if (names.includes(name)) return join(projects, project, name);
  }
  return undefined;
}

/** Claude's folder for a directory: every character but letters and digits is a dash. */
export async function projectFolder(projects: string, directory: string): Promise<string> {
  return join(projects, (await realpath(directory)).replace(/[^A-Za-z0-9]/g, "-"));
}

/** A new transcript, whole on the disk or not there at all, and its agent's. */
export async function writeTranscript(
  { user }: AgentHost,
  { folder, id, lines }: { folder: string; id: string; lines: readonly object[] },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${id}.jsonl`);
  const draft = `${path}.draft`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      await file.sync();
    } finally {
      await file.close();
    }
    if (user) for (const one of [folder, draft]) await chown(one, user.uid, user.gid);
    await rename(draft, path);
    await syncDirectory(folder);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
