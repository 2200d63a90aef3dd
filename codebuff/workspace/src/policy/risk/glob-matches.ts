import { readdir } from "node:fs/promises";
import path from "node:path";
import { globPattern } from "../../search/glob-pattern.ts";

const mostDirectories = 50;

/** The files a shell pattern stands for, seen from a directory. A `*` meets no dotfile, as in bash. */
export async function matchFiles(directory: string, pattern: string): Promise<string[]> {
  let places = [path.isAbsolute(pattern) ? "/" : directory];
  for (const segment of pattern.split("/").filter((one) => one !== "" && one !== ".")) {
    if (!/[*?[]/.test(segment)) {
      places = places.map((place) => path.resolve(place, segment));
      continue;
    }
    const fits = globPattern(segment);
    const isShown = (name: string) => segment.startsWith(".") || !name.startsWith(".");
    const found = await Promise.all(
      places.slice(0, mostDirectories).map(async (place) => {
        const names = await readdir(place).catch(() => []);
        return names.filter((name) => isShown(name) && fits(name)).map((name) => path.join(place, name));
      }),
    );
    places = found.flat();
  }
  return places;
}
