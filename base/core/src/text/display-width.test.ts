import { expect, it } from "vitest";
import { cutStartToWidth, cutToWidth, displayWidth } from "./display-width.ts";

it("a width counts columns: two for a wide letter, none for a mark", () => {
  expect(["plain", "日本", "e\u0301", "🌍", "", "…"].map(displayWidth)).toEqual([5, 4, 1, 2, 0, 1]);
});

it("a cut text fits and says that it was cut; one that fits stays", () => {
  expect(cutToWidth("a longer text", 8)).toBe("a longe…");
  expect(cutToWidth("日本語", 4)).toBe("日…");
  expect(cutToWidth("fits", 4)).toBe("fits");
  expect(cutStartToWidth("/home/me/project", 9)).toBe("…/project");
  expect(cutStartToWidth("ab", 0)).toBe("");
});
