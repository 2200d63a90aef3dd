import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a directory with all above it; the names are on the disk when it resolves. */
export async function makeDurableDirectory(directory: string): Promise<void> {
  const made = await makeDirectory(directory);
  if (made === undefined) return;
  for (let created = directory; ; created = dirname(created)) {
    await syncDirectory(dirname(created));
    if (created === made || created === dirname(created)) return;
  }
}

/** The topmost directory it had to make. Only for the user: sessions hold what people wrote. */
export function makeDirectory(directory: string): Promise<string | undefined> {
  return mkdir(directory, { recursive: true, mode: 0o700 });
}

/** Makes the names in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
