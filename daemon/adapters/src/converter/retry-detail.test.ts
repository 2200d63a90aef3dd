import { expect, it } from "vitest";
import { retryDetail } from "./retry-detail.ts";

it.each([
  [{ attempt: 1, most: 3, delayMs: 584, reason: "overloaded" }, "attempt 1 of 3 in 0.6 s: overloaded"],
  [{ attempt: 2, most: 3, reason: "server exploded" }, "attempt 2 of 3: server exploded"],
  [{ attempt: 2, delayMs: 2000 }, "attempt 2 in 2.0 s"],
  [{ reason: "overloaded" }, "overloaded"],
  [{}, undefined],
])("a retry is told as far as it is known: %j", (retry, detail) => {
  expect(retryDetail(retry)).toBe(detail);
});
