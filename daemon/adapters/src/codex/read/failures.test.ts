import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Cause } from "@muster/schema";
import { expect, test } from "vitest";
import type { Signal } from "../../signals.ts";
import { causeOf, errorOf } from "./failures.ts";

/** The failures of docs/agents/codex.md as they were recorded: what happened, the recording, the cause of the turn. */
const recorded: readonly [what: string, recording: string, cause: Cause][] = [
  ["HTTP 401", "error-e401", "auth_failed"],
  ["HTTP 429 with a used-up quota", "error-equota", "rate_limited"],
  ["HTTP 500", "error-e500", "provider_error"],
  ["HTTP 400", "error-e400", "provider_error"],
  ["a stream dropped every time", "error-drop", "provider_error"],
  ["response.failed", "error-failed", "provider_error"],
  ["a conversation too long for the model", "error-ctx", "context_overflow"],
  ["a provider that sends nothing", "error-idle-timeout", "provider_error"],
];

test.each(recorded)("%s ends the turn as %s: %s", (_, recording, cause) => {
  const path = fileURLToPath(new URL(`../../../recordings/codex/app-server/${recording}/events.json`, import.meta.url));
  const signals = JSON.parse(readFileSync(path, "utf8")) as Signal[];
  const [end] = signals.flatMap((signal) => (signal.type === "turn.finished" ? [signal.data] : []));
  expect(end).toMatchObject({ status: "failed", cause });
  expect(end?.message).not.toBe("");
  const errors = signals.flatMap((signal) => (signal.type === "error" ? [signal.data.code] : []));
  expect(errors).toEqual([cause]);
});

test.each<[what: string, info: unknown, message: string, cause: Cause]>([
  ["HTTP 429 after all retries", { responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "x", "rate_limited"],
  ["no connection", { httpConnectionFailed: { httpStatusCode: null } }, "x", "provider_error"],
  ["HTTP 403", { httpConnectionFailed: { httpStatusCode: 403 } }, "x", "auth_failed"],
  ["a model the provider does not have", { httpConnectionFailed: { httpStatusCode: 404 } }, "x", "model_not_found"],
  ["a status only in words", "other", "unexpected status 401 Unauthorized: no", "auth_failed"],
  ["a missing variable for the key", "other", "Missing environment variable: `X`.", "auth_failed"],
  ["a refusal of the vendor", "cyberPolicy", "x", "refused"],
  ["a word nobody knows yet", "sunspots", "x", "agent_error"],
  ["an inherited name", "constructor", "x", "agent_error"],
  ["nothing but words", null, "x", "agent_error"],
])("%s has its cause", (_, info, message, cause) => {
  const error = { message, codexErrorInfo: info as string };
  expect(causeOf(error)).toBe(cause);
  expect(errorOf(error).data).toMatchObject({ code: cause, message });
});

test("the status of the provider is in the details", () => {
  const error = { message: "x", codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } } };
  expect(errorOf(error).data.details).toEqual({ httpStatus: 401 });
});
