import { expect, it } from "vitest";
import { MisuseLog } from "./misuse-log.ts";

it("a refused key is told at once, those of the next minute as a number with the one after it", () => {
  let now = 0;
  const lines: unknown[] = [];
  const misuse = new MisuseLog(
    (level, message, fields) => lines.push([level, message, fields]),
    () => now,
  );
  for (const at of [0, 1, 59_999, 60_000, 60_001, 200_000]) {
    now = at;
    misuse.tell(`at ${at}`, { path: "/v1/messages" });
  }
  const line = (at: number, more = {}) => [
    "warn",
    `a request to the gateway was refused: at ${at}`,
    { path: "/v1/messages", ...more },
  ];
  expect(lines).toEqual([line(0), line(60_000, { alsoRefused: 2 }), line(200_000, { alsoRefused: 1 })]);
});
