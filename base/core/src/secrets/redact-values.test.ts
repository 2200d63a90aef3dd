import { expect, test } from "vitest";
import { redactValues } from "./redact.ts";

const letters = (count: number) => "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7m".repeat(3).slice(0, count);

const secrets = [
  `-----BEGIN PRIVATE KEY-----\nMIIE\n${letters(60)}\n-----END PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(60)}`,
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${letters(60)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  `sk-ant-api03-${letters(40)}`,
  `sk-proj-${letters(40)}`,
  `sk-${letters(48)}`,
  `sk_live_${letters(24)}`,
  `ghp_${letters(36)}`,
  `github_pat_${letters(40)}`,
  `glpat-${letters(20)}`,
  `xoxb-${letters(24)}`,
  `AIza${letters(35)}`,
  "AKIAIOSFODNN7EXAMPLE",
  `npm_${letters(36)}`,
  `hf_${letters(34)}`,
  `eyJ${letters(20)}.${letters(30)}.${letters(30)}`,
];

test.each(secrets)("%s is taken out, and what stands around it stays", (secret) => {
  expect(redactValues(`before ${secret}\nafter`)).toMatch(/^before \[redacted\](?:\nafter)?$/);
});

test("of an address the password goes and the rest stays", () => {
  expect(redactValues("DATABASE_URL=postgres://u:PASSWORD@h:5432/d")).toBe(
    "DATABASE_URL=postgres://u:[redacted]@h:5432/d",
  );
  expect(redactValues('"redis://:hunter2@[::1]:6379"')).toBe('"redis://:[redacted]@[::1]:6379"');
  expect(redactValues(`Authorization: Bearer ${letters(30)}`)).toBe("Authorization: Bearer [redacted]");
});

test.each([
  "http://localhost:3000/a@b",
  "git@github.com:a/b.git ssh://git@github.com:22/a",
  "pk-container-wide sk-learn-pipeline cb-button-primary",
  "task-1234567890 desk-top risk-assessment-of-something",
  "the token is a Bearer of news",
  "eyJhbGciOi.short.x",
  "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
  "https://user@host/path:thing@1.2.3 npm:react@18",
  "file:///home/a:b/c",
])("%s stays as it is", (text) => {
  expect(redactValues(text)).toBe(text);
});
