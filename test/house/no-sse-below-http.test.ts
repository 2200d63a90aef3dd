import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Words of server-sent events: their name, their content type, and the fields a frame is written with. */
const wordsOfSse = /\bSSE\b|event-stream|server-sent|last-event-id|["'`](\\n)*(id|data|event|retry): ?["'`$\\]/i;

it.each(["daemon/engine/src", "daemon/log/src"])(
  "%s knows no word of SSE: the server hands its framing to the log",
  (folder) => {
    const sources = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .flatMap((name) =>
        readFileSync(join(root, folder, name), "utf8")
          .split("\n")
          .map((line, index) => `${name}:${index + 1} ${line.trim()}`),
      );
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((line) => wordsOfSse.test(line))).toEqual([]);
  },
);

it("the words are those a frame is written with", () => {
  const written = ['Buffer.from("id: ")', 'Buffer.from("\\ndata: ")', "`id: $`", "/** An SSE payload. */"];
  expect(written.filter((line) => !wordsOfSse.test(line))).toEqual([]);
  expect(wordsOfSse.test('{ type: "item.delta", data: { itemId } }')).toBe(false);
});
