import { expect, it } from "vitest";
import { KnownTrees } from "./known-trees.ts";

it("the list stays as it began; each change is told once, and told again when it is undone", () => {
  const trees = new KnownTrees();
  expect(trees.settle("s", ["a", "b"], undefined)).toEqual({ tree: ["a", "b"], changes: [] });
  expect(trees.settle("s", ["a", "c"], undefined)).toEqual({ tree: ["a", "b"], changes: ["+ c", "- b"] });
  expect(trees.settle("s", ["a", "c"], undefined)).toEqual({ tree: ["a", "b"], changes: [] });
  expect(trees.settle("s", ["a", "b"], undefined)).toEqual({ tree: ["a", "b"], changes: ["+ b", "- c"] });
  expect(trees.settle("other", ["x"], undefined)).toEqual({ tree: ["x"], changes: [] });
});

it("a run of another process goes on with the list of the one before", () => {
  expect(new KnownTrees().settle("s", ["a", "c"], ["a"])).toEqual({ tree: ["a"], changes: ["+ c"] });
});

it("very many changes are a new list", () => {
  const many = Array.from({ length: 500 }, (_, at) => `file${at}`);
  const trees = new KnownTrees();
  trees.settle("s", ["a"], undefined);
  expect(trees.settle("s", many, undefined)).toEqual({ tree: many, changes: [] });
  expect(trees.settle("s", [...many, "b"], undefined)).toEqual({ tree: many, changes: ["+ b"] });
});
