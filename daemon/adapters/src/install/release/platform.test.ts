import { expect, it } from "vitest";
import { claudeRelease } from "../../claude/release.ts";
import { nameFor, thisPlatform } from "./platform.ts";

it("this machine is one that agents have builds for", () => {
  const platform = thisPlatform();
  expect(platform).toMatch(/^(linux-(x64(-baseline)?|arm64)(-musl)?|darwin-(x64|arm64))$/);
  for (const source of claudeRelease.sources) {
    if ("platforms" in source) expect(nameFor(source.platforms, platform)).toBe(platform.replace("-baseline", ""));
  }
});

it("an old processor takes the ordinary build where there is no other, an unknown machine none", () => {
  const names = { "linux-x64": "ordinary", "linux-x64-musl": "ordinary-musl" };
  expect(nameFor(names, "linux-x64-baseline")).toBe("ordinary");
  expect(nameFor(names, "linux-x64-baseline-musl")).toBe("ordinary-musl");
  expect(nameFor({ ...names, "linux-x64-baseline": "old" }, "linux-x64-baseline")).toBe("old");
  expect(nameFor(names, "win32-x64")).toBeUndefined();
});
