import { describe, expect, it } from "vitest";
import { guidePages, missingLines } from "./fences.ts";
import { runPage } from "./run-page.ts";

const pages = guidePages();

describe("the guide to codebuff", { timeout: 120_000 }, () => {
  it("has commands on its pages", () => {
    expect(pages.length).toBeGreaterThan(8);
  });

  it.concurrent.each(pages.map((page) => [page.name, page] as const))(
    "%s runs, and prints what it says",
    async (_, page) => {
      const blocks = await runPage(page);
      let block = -1;
      for (const fence of page.fences) {
        if (fence.kind === "commands") block += 1;
        if (fence.kind !== "printed") continue;
        const printed = blocks[block] ?? "";
        expect(missingLines(fence.text, printed), printed).toEqual([]);
      }
    },
  );
});
