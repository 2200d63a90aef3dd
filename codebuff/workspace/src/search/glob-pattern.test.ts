import { expect, test } from "vitest";
import { globPattern } from "./glob-pattern.ts";

test.each([
  ["*.ts", ["a.ts"], ["src/a.ts", "a.tsx"]],
  ["**/*.ts", ["a.ts", "src/deep/a.ts"], ["a.js"]],
  ["src/**", ["src/a", "src/b/c"], ["src", "lib/src/a"]],
  ["src/", ["src/a", "src/b/c"], ["srca"]],
  ["**/test/**/*.{ts,tsx}", ["test/a.ts", "x/test/y/b.tsx"], ["test/a.js"]],
  ["file?.[ch]", ["file1.c", "filex.h"], ["file.c", "file12.c", "file1.x"]],
  ["[!a]*.md", ["b.md"], ["a.md"]],
  ["a+b(c).txt", ["a+b(c).txt"], ["aab(c).txt"]],
  ["\\*.txt", ["*.txt"], ["a.txt"]],
  [".*/**", [".github/ci.yml"], ["src/a"]],
])("%s", (glob, fits, misses) => {
  const pattern = globPattern(glob);
  expect(fits.filter((path) => !pattern(path))).toEqual([]);
  expect(misses.filter((path) => pattern(path))).toEqual([]);
});

test("an open brace is an error", () => {
  expect(() => globPattern("a.{ts")).toThrow("open brace");
});
