import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDirectory } from "../../../test/host.ts";
import { watchLeftovers } from "./sandbox-leftovers.ts";

test("only empty folders that were not there before are removed", async () => {
  const folder = makeDirectory();
  mkdirSync(join(folder, ".git"));
  const sweep = await watchLeftovers([folder, join(folder, "missing")]);
  for (const name of [".agents", ".aws", ".codex"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, ".codex", "config.toml"), "");
  await sweep();
  expect(readdirSync(folder).sort()).toEqual([".codex", ".git"]);
});
