import { expect, it } from "vitest";
import { isPrivate, readUrl } from "./read-url.ts";

it.each([
  ["127.0.0.1", true],
  ["10.1.2.3", true],
  ["169.254.169.254", true],
  ["172.31.255.255", true],
  ["100.100.1.1", true],
  ["::1", true],
  ["fd00::1", true],
  ["fe80::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:7f00:1", true],
  ["8.8.8.8", false],
  ["172.32.0.1", false],
  ["2606:4700::1111", false],
])("%s is private: %s", (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});

it.each(["http://127.0.0.1:1/", "http://[::1]/", "http://localhost/x", "http://2130706433/"])(
  "%s is never asked for",
  async (url) => {
    await expect(readUrl({ url, max_tokens: 100 }, new AbortController().signal)).rejects.toThrow("private network");
  },
);
