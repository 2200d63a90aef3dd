import { expect, it } from "vitest";
import { DialogStack } from "./dialog-stack.ts";

const ask = (title: string) => ({ title, choices: [{ label: "Yes", value: true }], escape: "denies" });

it("a question of an earlier call takes the place of a later one that nobody can have answered yet", () => {
  let now = 0;
  const stack = new DialogStack({ onChange: () => undefined, now: () => now });
  void stack.choose(ask("second"), undefined, 2);
  void stack.choose(ask("first"), undefined, 1);
  void stack.choose(ask("third"), undefined, 3);
  expect(stack.current?.title).toBe("first");
  now = 299;
  expect(stack.isListening).toBe(false);
  stack.current?.refuse();
  expect(stack.current?.title).toBe("second");
  now = 600;
  // The person reads it: nothing slips under the fingers any more.
  void stack.choose(ask("late"), undefined, 0);
  expect(stack.current?.title).toBe("second");
  stack.current?.refuse();
  expect(stack.current?.title).toBe("late");
  stack.current?.refuse();
  expect(stack.current?.title).toBe("third");
});

it("questions without a place are shown as they came", () => {
  const stack = new DialogStack({ onChange: () => undefined });
  void stack.choose(ask("one"));
  void stack.choose(ask("two"), undefined, 0);
  expect(stack.current?.title).toBe("one");
});
