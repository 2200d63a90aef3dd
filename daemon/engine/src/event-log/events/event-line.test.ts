import { UniversalEvent } from "@muster/schema";
import { expect, test } from "vitest";
import { EventLines, maxEventBytes } from "./event-line.ts";
import { LinePage } from "./line-page.ts";

const time = "2026-11-15T19:35:00.123Z";
const error = (message: string) => ({
  source: "daemon" as const,
  body: { type: "error" as const, data: { code: "provider_error" as const, message, retryable: false } },
});

test("a line is the event with its keys in the order of the protocol", () => {
  const line = new EventLines("s1").line(17, time, { ...error("boom"), turnId: "turn_1" });
  expect(line).toBe(
    `{"sequence":17,"time":"${time}","sessionId":"s1","turnId":"turn_1","source":"daemon","type":"error",` +
      '"data":{"code":"provider_error","message":"boom","retryable":false}}',
  );
});

test("an event outside any turn has no turnId, also after one that had", () => {
  const lines = new EventLines("s1");
  lines.line(1, time, { ...error("boom"), turnId: "turn_1" });
  expect(JSON.parse(lines.line(2, time, error("boom")))).not.toHaveProperty("turnId");
});

test("the first type in a line is the envelope's, whatever the turn is called", () => {
  const line = new EventLines("s1").line(1, time, { ...error('"type":"item.delta"'), turnId: '"type":"item.delta"' });
  expect(line.slice(line.indexOf('"type":"'))).toMatch(/^"type":"error"/);
});

test("a line has no raw line break, whatever the text holds", () => {
  const text = "\n\r\u2028\u2029\u0000\ud800";
  const line = new EventLines("s1").line(1, time, error(text));
  expect(line).not.toMatch(/[\n\r]/);
  expect(JSON.parse(line).data.message).toBe(text);
});

test("the time has milliseconds and is that of the clock", () => {
  const lines = new EventLines("s1");
  expect(lines.timeOf(Date.parse(time))).toBe(time);
  expect(lines.timeOf(0)).toBe("1970-01-01T00:00:00.000Z");
});

test.each([
  ["just fits", maxEventBytes, false],
  ["is one byte too long", maxEventBytes + 1, true],
  ["is ten times too long", maxEventBytes * 10, true],
])("an event that %s is at most 1 MiB and says what was cut", (_, bytes, isCut) => {
  const lines = new EventLines("s1");
  const empty = lines.line(1, time, error("")).length;
  const line = lines.line(1, time, error("é".repeat(4) + "x".repeat(bytes - empty - 8)));
  const event = UniversalEvent.parse(JSON.parse(line));
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(maxEventBytes);
  expect(Buffer.byteLength(line)).toBeGreaterThan(maxEventBytes - 2_000);
  expect(event.truncated?.field).toBe(isCut ? "data.message" : undefined);
});

test("lines as bytes are the lines as text, whatever a delta holds", () => {
  const texts = [
    "plain words",
    "",
    '"quoted" \\ back',
    "two\nlines\t\u0000",
    "é ü 日本 🎉",
    "\ud800",
    "x".repeat(70_000),
  ];
  const delta = (text: string, index: number) => ({
    source: "agent" as const,
    turnId: "turn_1",
    body: { type: "item.delta" as const, data: { itemId: "item_1", index, part: "text" as const, delta: text } },
  });
  const drafts = [...texts.map((text) => delta(text, 0)), error("boom"), delta("again", 1), delta("more", 1)];
  const { bytes, ends, skippable } = new EventLines("s1").encode(new LinePage(), 98, time, drafts);
  const lines = drafts.map((draft, at) => `${new EventLines("s1").line(98 + at, time, draft)}\n`);
  expect(bytes.toString()).toBe(lines.join(""));
  expect(ends.at(-1)).toBe(bytes.length);
  expect(ends.map((end, at) => bytes.toString("utf8", ends[at - 1] ?? 0, end))).toEqual(lines);
  expect(skippable).toEqual(drafts.map(({ body }) => body.type === "item.delta"));
});
