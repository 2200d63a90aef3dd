import { Failure } from "@muster/schema/wire";
import type { Directory } from "../inside/directory.ts";
import { joinNames, shownPath } from "../inside/path-bytes.ts";

/** Throws where a directory would have to become something else, or something else a directory. */
export async function checkMerge(from: Directory, to: Directory, above: readonly Buffer[]): Promise<void> {
  for (const name of await from.names()) {
    const there = await to.find(name);
    if (there === undefined) continue;
    const names = [...above, name];
    const comes = await from.find(name);
    if (comes?.isDirectory() !== there.isDirectory()) {
      const path = shownPath(joinNames(names));
      throw new Failure("file_exists", `${path} is ${there.isDirectory() ? "a" : "no"} directory already`, { path });
    }
    if (there.isDirectory()) await inBoth(from, to, name, (one, other) => checkMerge(one, other, names));
  }
}

/** Moves everything over, name by name; directories that are there already stay and are filled. */
export async function mergeTree(from: Directory, to: Directory): Promise<void> {
  for (const name of await from.names()) {
    if ((await to.find(name))?.isDirectory()) await inBoth(from, to, name, mergeTree);
    else await from.rename(name, to, name);
  }
}

async function inBoth(
  from: Directory,
  to: Directory,
  name: Buffer,
  act: (from: Directory, to: Directory) => Promise<void>,
): Promise<void> {
  const one = await from.openDirectory(name);
  try {
    const other = await to.openDirectory(name);
    await act(one, other).finally(() => other.close());
  } finally {
    await one.close();
  }
}
