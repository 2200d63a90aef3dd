import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of data: recorded and generated cases stand side by side. */
const data = /(^|\/)(recordings|fixtures|generated|recorded|screens)(\/|$)|^docs\/|^python\//;

it("no folder of code holds more than 25 files", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { cwd: root, encoding: "utf8" });
  const sizes = new Map<string, number>();
  for (const file of files.trim().split("\n")) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  expect([...sizes].filter(([folder, size]) => size > 25 && !data.test(folder))).toEqual([]);
});
