import type { EventBody } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { Redactor } from "./redaction.ts";
import { secretsInEnvironment } from "./secret-names.ts";

describe("Redactor", () => {
  const redactor = new Redactor(["sk-12345678", "sk-12345678-and-more", "short"]);

  it("replaces known values, the longer one first, and leaves short ones alone", () => {
    expect(redactor.text("a sk-12345678-and-more b sk-12345678 c short")).toBe("a [redacted] b [redacted] c short");
  });

  it("finds a secret that JSON has escaped", () => {
    const secret = 'a "quoted" secret\\';
    expect(new Redactor([secret]).text(JSON.stringify({ said: secret }))).toBe('{"said":"[redacted]"}');
  });

  it("finds a secret in a URL and in base64, also in the middle of something longer", () => {
    const secret = "s3cret/with+ odd=signs?";
    const clean = new Redactor([secret]);
    expect(clean.text(`?key=${encodeURIComponent(secret)}&x`)).toBe("?key=[redacted]&x");
    for (const before of ["", "a", "ab", "user:"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(`${before}${secret} and more`).toString(encoding);
        expect(clean.text(encoded)).toContain("[redacted]");
        expect(Buffer.from(clean.text(encoded), encoding).toString()).not.toContain(secret.slice(4));
      }
    }
  });

  it("a session knows its own secrets and those of the machine, also those found later", () => {
    const machine = new Redactor(["of-the-machine"]);
    const one = machine.ofSession(["of-session-one"]);
    machine.ofSession(["of-session-two"]);
    machine.add(["found-later"]);
    const text = "of-the-machine of-session-one of-session-two found-later";
    expect(one.text(text)).toBe("[redacted] [redacted] of-session-two [redacted]");
    expect(machine.text(text)).toBe("[redacted] [redacted] [redacted] [redacted]");
  });

  it("reaches every string of a value", () => {
    expect(redactor.value({ a: ["x sk-12345678"], b: { c: "sk-12345678" }, n: 1 })).toEqual({
      a: ["x [redacted]"],
      b: { c: "[redacted]" },
      n: 1,
    });
  });

  it("cleans diagnostics and leaves what a model said as it was said", () => {
    const error: EventBody = { type: "error", data: { code: "auth_failed", message: "sk-12345678", retryable: false } };
    const delta: EventBody = {
      type: "item.delta",
      data: { itemId: "item_1", index: 0, part: "text", delta: "sk-12345678" },
    };
    expect(redactor.body(error).data.message).toBe("[redacted]");
    expect(redactor.body(delta)).toBe(delta);
  });
});

it("finds secrets in an environment by the names of the variables", () => {
  const env = { PATH: "/bin", OPENAI_API_KEY: "k1", GH_TOKEN: "k2", DB_PASSWORD: "k3", EMPTY_KEY: "" };
  expect(secretsInEnvironment(env)).toEqual(["k1", "k2", "k3"]);
  const more = { PATH: "/bin", PATTERN: "*", A_COOKIE: "c", GITHUB_PAT: "p", SENTRY_DSN: "d", PGPASSFILE: "f" };
  expect(secretsInEnvironment(more)).toEqual(["c", "p", "d", "f"]);
  expect(secretsInEnvironment({ HOOK_URL: "https://x/y", DB: "pg://a:b@c" })).toEqual([
    "https://x/y",
    "pg://a:b@c",
    "b",
    "b",
  ]);
});
