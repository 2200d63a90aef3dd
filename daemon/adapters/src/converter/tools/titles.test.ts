import { expect, test } from "vitest";
import { listed, pathsInPatch, permissionTitle } from "./titles.ts";

test("a permission is a verb by its action and the very thing", () => {
  const paths = ["a.txt", "b.txt"];
  expect([
    permissionTitle("execute", { command: "npm test" }),
    permissionTitle("execute", { command: "y", isInput: true }),
    permissionTitle("edit", { paths }),
    permissionTitle("read", { paths }),
    permissionTitle("read", { paths, query: "heron" }),
    permissionTitle("fetch", { url: "https://example.com" }),
    permissionTitle("fetch", { query: "weather" }),
    permissionTitle("mcp", { tool: "mcp__demo__echo" }),
    permissionTitle("other", { tool: "skill", otherwise: "Leave the directory" }),
    permissionTitle("other", { tool: "skill" }),
    permissionTitle("edit", { paths: [], otherwise: "Edit files" }),
  ]).toEqual([
    "Run npm test",
    "Type y",
    "Edit a.txt, b.txt",
    "Read a.txt, b.txt",
    "Search heron",
    "Fetch https://example.com",
    "Search weather",
    "Use mcp__demo__echo",
    "Leave the directory",
    "Use skill",
    "Edit files",
  ]);
});

test("a patch names its files", () => {
  const patch = "*** Begin Patch\n*** Update File: /w/a.txt\n*** Move to: b.txt\n@@\n-x\n+y\n*** Add File: c.txt\n+z\n";
  expect(listed(pathsInPatch(patch, "/w"))).toBe("a.txt, b.txt, c.txt");
  expect(pathsInPatch("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "/w")).toEqual(["x"]);
});
