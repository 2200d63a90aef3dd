import { expect, test } from "vitest";
import { readSearchFlags } from "./search-flags.ts";

test.each([
  [undefined, [], "lines"],
  ["-i -w", ["-i", "-w"], "lines"],
  ["-iw", ["-i", "-w"], "lines"],
  ["-A 3 -B2", ["-A", "3", "-B", "2"], "lines"],
  ['-g "*.{ts,tsx}" --glob=!dist', ["-g", "*.{ts,tsx}", "--glob=!dist"], "lines"],
  ["-g 'a b/*.ts'", ["-g", "a b/*.ts"], "lines"],
  ["-t py", ["-t", "py"], "lines"],
  ["-l", [], "files"],
  ["--count -n", [], "counts"],
  ["-o", [], "matches"],
] as const)("%j is read like a shell does", (flags, args, show) => {
  expect(readSearchFlags(flags)).toEqual({ args, show });
});

test.each([
  "--pre cat",
  "--pre=cat",
  "--hostname-bin x",
  "-f /etc/passwd",
  "--ignore-file x",
  "-z",
  "-L",
  "--follow",
  "-i; rm x",
  "-i > out",
  "path",
  '-g "open',
  "-A",
])("%j is refused", (flags) => {
  expect(() => readSearchFlags(flags)).toThrow();
});
