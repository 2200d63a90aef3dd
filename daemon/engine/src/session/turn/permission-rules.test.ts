import { expect, it } from "vitest";
import { isGranted } from "./permission-rules.ts";

const ls = { action: "execute", pattern: "ls" } as const;
const rm = { action: "execute", pattern: "rm x" } as const;

it("grants what is covered exactly and as a whole", () => {
  expect(isGranted([ls, rm], [ls])).toBe(true);
  expect(isGranted([ls, rm], [ls, rm])).toBe(true);
});

it("grants no part of a compound, no other action, no prefix, and nothing without a scope", () => {
  expect(isGranted([ls], [ls, rm])).toBe(false);
  expect(isGranted([{ action: "edit", pattern: "ls" }], [ls])).toBe(false);
  expect(isGranted([ls], [{ action: "execute", pattern: "ls -la" }])).toBe(false);
  expect(isGranted([ls], [])).toBe(false);
});
