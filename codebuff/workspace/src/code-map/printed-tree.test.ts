import { expect, test } from "vitest";
import { countTokens, printTree } from "./printed-tree.ts";

const file = (path: string, scores: Record<string, number> = {}) => ({ path, scores: new Map(Object.entries(scores)) });
const files = [
  file("README.md"),
  file("logo.png"),
  file("src/a.ts", { important: 9, minor: 1 }),
  file("src/deep/er/b.ts", { second: 5 }),
  file("src/deep/er/photo.jpg"),
];
const level = (maxTokens: number) => printTree(files, maxTokens);

test("the ladder: everything, then without pictures, then with fewer symbols, then with fewer files", () => {
  expect(level(1000)).toMatchObject({
    truncationLevel: "none",
    printedTree: "README.md\nlogo.png\nsrc/\n a.ts important minor\n deep/\n  er/\n   b.ts second\n   photo.jpg",
  });
  expect(level(26)).toMatchObject({
    truncationLevel: "unimportant-files",
    printedTree: "README.md\nsrc/\n a.ts important minor\n deep/\n  er/\n   b.ts second",
  });
  expect(level(18)).toMatchObject({
    truncationLevel: "tokens",
    printedTree: "README.md\nsrc/\n a.ts important\n deep/\n  er/\n   b.ts",
  });
  expect(level(13)).toMatchObject({
    truncationLevel: "depth-based",
    printedTree: "README.md\nsrc/\n a.ts\n deep/\n  … 1 more",
  });
  expect(level(1)).toEqual({ truncationLevel: "depth-based", printedTree: "", tokenCount: 0 });
});

test("the budget is kept at every size", () => {
  const many = Array.from({ length: 400 }, (_, index) =>
    file(`d${index % 7}/e${index % 3}/f${index}.ts`, { [`symbol${index}`]: index, [`other${index}`]: index / 2 }),
  );
  for (let maxTokens = 10; maxTokens < 6000; maxTokens = Math.ceil(maxTokens * 1.4)) {
    const printed = printTree(many, maxTokens);
    expect(printed.tokenCount).toBeLessThanOrEqual(maxTokens);
    expect(printed.tokenCount).toBe(countTokens(printed.printedTree));
  }
});
