import { describe, expect, test } from "vitest";
import { Recorder } from "./recorder.ts";

const incoming = (bodyText: string) => {
  return { method: "POST", path: "/v1/messages", headers: { "x-api-key": "secret-key-1" }, bodyText };
};
const done = { status: 200, outcome: "replied" as const, conversation: "main", turn: 1 };

describe("The recorder", () => {
  test("keeps method, path, header names and body, and no key", () => {
    const recorder = new Recorder();
    recorder.begin(incoming('{"note":"my key is secret-key-1 and sk-abcdefghij0123456789"}')).end(done);
    expect(recorder.requests()).toEqual([
      {
        number: 1,
        method: "POST",
        path: "/v1/messages",
        headerNames: ["x-api-key"],
        body: { note: "my key is [redacted] and [redacted]" },
        ...done,
      },
    ]);
  });

  test("forgets the oldest beyond a count", () => {
    const recorder = new Recorder({ requests: 3 });
    for (let at = 0; at < 10; at += 1) recorder.begin(incoming("{}")).end(done);
    expect(recorder.requests().map(({ number }) => number)).toEqual([8, 9, 10]);
  });

  test("forgets the oldest beyond a number of bytes, and never holds one larger than that", () => {
    const recorder = new Recorder({ bytes: 1_000 });
    for (let at = 0; at < 10; at += 1) recorder.begin(incoming(`"${"x".repeat(398)}"`)).end(done);
    expect(recorder.requests().map(({ number }) => number)).toEqual([9, 10]);
    recorder.begin(incoming("y".repeat(5_000))).end(done);
    expect(recorder.requests().at(-1)?.body).toBe("[5000 characters, too large to keep]");
  });

  test("holds a bounded number of failures", () => {
    const recorder = new Recorder({ requests: 5 });
    for (let at = 1; at <= 20; at += 1) {
      recorder.fail({ requestNumber: at, conversation: undefined, turn: undefined, message: "no" });
    }
    expect(recorder.failures()).toHaveLength(5);
  });

  test("shows a request that is still open", () => {
    const recorder = new Recorder();
    recorder.begin(incoming("not json"));
    expect(recorder.requests()[0]).toMatchObject({ outcome: "open", status: undefined, body: "not json" });
  });
});
