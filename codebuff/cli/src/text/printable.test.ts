import { expect, it } from "vitest";
import { oneLine, printable } from "./printable.ts";

it("takes out what moves a cursor or turns text around, and leaves what characters are joined with", () => {
  expect(printable("a\u001b[2Jb\u001b]0;title\u0007c\u202ed\u200be")).toBe("abcde");
  const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}";
  expect(printable(family)).toBe(family);
});

it("cuts a line between characters", () => {
  expect(oneLine("one\n two", 20)).toBe("one two");
  expect(oneLine("abc\u{1f469}def", 5)).toBe("abc…");
});
