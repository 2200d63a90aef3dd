import { expect, test } from "vitest";
import { LinePage } from "./line-page.ts";

test("what was put on a page is its own, whatever the page is filled with next", () => {
  const page = new LinePage();
  const first = page.fill(() => {
    page.addJson("one");
  });
  const long = "é".repeat(400_000);
  const second = page.fill(() => {
    page.addNumber(10_203);
    page.addText(long);
  });
  expect([first.toString(), second.toString()]).toEqual(['"one"', `10203${long}`]);
});

test("nobody can wait with a page half filled: the compiler refuses it", () => {
  const page = new LinePage();
  // @ts-expect-error A promise is not undefined.
  page.fill(async () => page.addByte(10));
  // @ts-expect-error Nor is what a promise becomes.
  page.fill(() => Promise.resolve());
  expect(page.used).toBe(0);
});
