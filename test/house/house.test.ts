import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("the way of a permission is told file by file, and is no longer than eighteen files that exist", () => {
  const house = readFileSync(`${root}/docs/house.md`, "utf8");
  const [, section = ""] = house.split("## A permission of Claude, file by file");
  const [list = ""] = section.split("\n## ");
  const files = [...list.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThan(10);
  expect(new Set(files).size).toBeLessThanOrEqual(18);
  expect(files.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
});

it("every decision has a number of its own", () => {
  const numbers = readdirSync(`${root}/docs/decisions`).map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});
