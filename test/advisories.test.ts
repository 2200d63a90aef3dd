import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

// By address: the scripts have no types.
const script = new URL("../scripts/advisories.mjs", import.meta.url).href;
const { findAdvisories } = (await import(script)) as {
  findAdvisories(lock: unknown, list: unknown): Promise<{ id: string; package: string; version: string }[]>;
};
const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const list = read("scripts/advisories.json");

it("no locked package has a known advisory", async () => {
  expect(await findAdvisories(read("package-lock.json"), list)).toEqual([]);
});

it("a locked version inside a range is found, wherever it lies, unless it was accepted", async () => {
  const lock = {
    packages: {
      "": { version: "1.0.0" },
      "node_modules/tar": { version: "7.5.9" },
      "node_modules/a/node_modules/tar": { version: "7.5.11" },
      "node_modules/@x/tar": { version: "1.0.0" },
      "node_modules/linked": { link: true },
      "node_modules/debug": { version: "4.4.2" },
    },
  };
  const hits = await findAdvisories(lock, list);
  expect(hits.map(({ id, version }) => [id, version])).toEqual([
    ["CVE-2026-29786", "7.5.9"],
    ["CVE-2026-31802", "7.5.9"],
    ["GHSA-4x49-vf9v-38px", "4.4.2"],
  ]);
  const accepted = [{ id: "GHSA-4x49-vf9v-38px", reason: "a test" }];
  expect((await findAdvisories(lock, { ...list, accepted })).length).toBe(2);
});
