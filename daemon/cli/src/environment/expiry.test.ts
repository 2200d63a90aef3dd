import { expect, it } from "vitest";
import { expiryOf } from "./expiry.ts";

it.each([
  ["90m", "1970-01-01T01:30:00.000Z"],
  ["12h", "1970-01-01T12:00:00.000Z"],
  ["30d", "1970-01-31T00:00:00.000Z"],
  ["2027-01-31T12:00:00Z", "2027-01-31T12:00:00Z"],
  ["tomorrow", "tomorrow"],
  ["-1d", "-1d"],
])("%s is %s", (typed, time) => expect(expiryOf(typed, 0)).toBe(time));
