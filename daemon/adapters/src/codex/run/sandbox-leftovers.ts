import { rmdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What the sandbox puts into every writable folder while a command runs, and leaves there when that is killed (0.166.0). */
const names = [".agents", ".aws", ".codex", ".git"];

/**
 * Notes which of them are there before a session works. The function it returns removes those that came since and are
 * empty: an empty `.git` changes what others take for the root of a repository.
 */
export async function watchLeftovers(folders: readonly string[]): Promise<() => Promise<void>> {
  const paths = [...new Set(folders)].flatMap((folder) => names.map((name) => join(folder, name)));
  const known = new Set<string>();
  await Promise.all(
    paths.map(async (path) => {
      if (await stat(path).catch(() => undefined)) known.add(path);
    }),
  );
  return async () => {
    const added = paths.filter((path) => !known.has(path));
    // One with something in it is somebody's.
    await Promise.all(added.map((path) => rmdir(path).catch(() => {})));
  };
}
