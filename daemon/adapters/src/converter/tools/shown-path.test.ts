import { expect, test } from "vitest";
import { isInside, shownPath } from "./shown-path.ts";

test.each([
  ["/w/a.txt", "a.txt"],
  ["a.txt", "a.txt"],
  ["./src//b/../a.txt", "src/a.txt"],
  ["/w/", "."],
  ["/w/..a/x", "..a/x"],
  ["/workspace/a.txt", "/workspace/a.txt"],
  ["../etc/x", "/etc/x"],
  ["/w/../etc/x", "/etc/x"],
])("in /w the file %s is shown as %s", (path, shown) => {
  expect(shownPath(path, "/w")).toBe(shown);
  expect(shownPath(shown, "/w")).toBe(shown);
  expect(isInside(path, "/w")).toBe(!shown.startsWith("/") && shown !== ".");
});

test("where the directory is not known a path stays as it is, in its shortest form", () => {
  expect(["/w/a.txt", "./a.txt", "a/", "../b"].map((path) => shownPath(path, undefined))).toEqual([
    "/w/a.txt",
    "a.txt",
    "a",
    "../b",
  ]);
  expect(isInside("/a", "")).toBe(false);
});
