import { expect, it } from "vitest";

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; link?: boolean; optional?: boolean }>;
}
// By address: the scripts have no types.
const { staleDependencies }: { staleDependencies(lock: Lock, installed: Lock | undefined): string[] } = await import(
  new URL("../scripts/prepare/stale-dependencies.mjs", import.meta.url).href
);

const lock: Lock = {
  packages: {
    "": {},
    "node_modules/zod": { version: "4.0.0", integrity: "sha512-a" },
    "node_modules/other-machine": { version: "1.0.0", optional: true },
    "node_modules/@muster/engine": { link: true },
  },
};
const installed: Lock = {
  packages: {
    "node_modules/zod": { version: "4.0.0", integrity: "sha512-a" },
    "node_modules/@muster/engine": { link: true },
  },
};
const having = (name: string, one: object): Lock => ({ packages: { ...installed.packages, [name]: one } });

it("what npm installed as the lock file says is not stale, whatever else lies there", () => {
  expect(staleDependencies(lock, installed)).toEqual([]);
  expect(staleDependencies(lock, having("node_modules/added-by-hand", { version: "1.0.0" }))).toEqual([]);
});

it("another version, another content and nothing at all are stale", () => {
  expect(staleDependencies(lock, having("node_modules/zod", { version: "4.0.1" }))).toEqual(["node_modules/zod"]);
  const tampered = having("node_modules/zod", { version: "4.0.0", integrity: "sha512-b" });
  expect(staleDependencies(lock, tampered)).toEqual(["node_modules/zod"]);
  expect(staleDependencies(lock, undefined)).toEqual(["node_modules/zod", "node_modules/@muster/engine"]);
});

it("a link that a person made in place of a package stays", () => {
  expect(staleDependencies(lock, having("node_modules/zod", { link: true }))).toEqual([]);
});
