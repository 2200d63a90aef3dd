import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const house = readFileSync(join(root, "docs/house.md"), "utf8");

/** Files that docs/house.md lists under this title, without those that are only asked on the way. */
export function filesListed(title: string): string[] {
  const [, section = ""] = house.split(`## ${title}\n`);
  const [list = ""] = section.split(/\n(?:Asked on the way|## )/);
  return [...list.matchAll(/^\d+\. \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)].map(([, path = ""]) => path);
}

/** Files of which some function ran meanwhile. All of them are loaded by then, so loading counts for nothing. */
export async function filesCalledIn(work: () => Promise<void>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage");
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const isCalled = ({ functions }: (typeof result)[number]) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
    return new Set(result.filter(isCalled).map(({ url }) => url));
  } finally {
    session.disconnect();
  }
}
