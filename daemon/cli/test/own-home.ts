import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { temporaryFolder } from "./daemon-process.ts";

/** A home and a directory to work in for each test of a file, gone afterwards. */
export function ownHome(): { readonly path: string; readonly home: string; readonly directory: string } {
  const place = { path: "", home: "", directory: "" };
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    const { path } = folder;
    Object.assign(place, { path, home: join(path, "home"), directory: join(path, "work") });
    await mkdir(place.home);
    await mkdir(place.directory);
  });
  afterEach(() => folder.remove());
  return place;
}
