import { describe, expect, test, vi } from "vitest";
import { Progress } from "./progress.ts";

/** Time is outside of the house: here it goes when the test says so. */
function hear() {
  vi.useFakeTimers();
  const heard: { piece: string; at: number }[] = [];
  const progress = new Progress((piece) => heard.push({ piece, at: Date.now() }));
  return { progress, heard, text: () => heard.map(({ piece }) => piece).join("") };
}

describe("progress", () => {
  test("pieces are plain text that can be appended, however the escape sequences are cut", () => {
    const { progress, text } = hear();
    for (const piece of ["\x1b[3", "1mred\x1b", "[0m one\r", "\ntwo\x1b]0;ti", "tle\x07 three\n"]) {
      progress.push(piece);
      vi.advanceTimersByTime(200);
    }
    progress.end();
    expect(text()).toBe("red one\ntwo three\n");
  });

  test("a line that is written over and over stands there in the states it had when a piece was sent", () => {
    const { progress, text } = hear();
    for (let percent = 0; percent <= 100; percent++) {
      progress.push(`\r${percent} %`);
      if (percent % 50 === 49) vi.advanceTimersByTime(200);
    }
    progress.push("\ndone\n");
    progress.end();
    expect(text()).toBe("0 %\n49 %\n99 %\n100 %\ndone\n");
  });

  test("at most ten pieces come in any second, and the last words are among them", () => {
    const { progress, heard, text } = hear();
    for (let line = 0; line < 500; line++) {
      progress.push(`${line}\n`);
      vi.advanceTimersByTime(7);
    }
    progress.push("last\n");
    progress.end();
    expect(text()).toBe(`${Array.from({ length: 500 }, (_, line) => `${line}\n`).join("")}last\n`);
    for (const { at } of heard) {
      expect(heard.filter((other) => other.at >= at && other.at < at + 1000).length).toBeLessThanOrEqual(10);
    }
  });

  test("after 64 KiB there is one marker and then nothing, and no character is cut in two", () => {
    const { progress, heard, text } = hear();
    for (let index = 0; index < 100; index++) {
      progress.push("äöü😀\n".repeat(500));
      vi.advanceTimersByTime(200);
    }
    progress.end();
    expect(Buffer.byteLength(text())).toBeLessThanOrEqual(64 * 1024);
    expect(text()).not.toContain("\ufffd");
    expect(heard.filter(({ piece }) => piece.includes("follows with the result"))).toHaveLength(1);
    expect(heard.at(-1)?.piece).toContain("follows with the result");
  });

  test("nothing is said after the end, or when it is dropped", () => {
    const { progress, heard } = hear();
    progress.push("one\n");
    progress.push("two\n");
    progress.drop();
    progress.push("three\n");
    progress.end();
    vi.advanceTimersByTime(1000);
    expect(heard.map(({ piece }) => piece)).toEqual(["one\n"]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
