import type { Body, Cause } from "@muster/schema";
import type { NativeError } from "../wire/native.ts";

/** OpenCode's names of errors → causes. A failed request to the provider is told apart by its status. */
const causesByName: Readonly<Record<string, Cause>> = {
  ProviderAuthError: "auth_failed",
  ContextOverflowError: "context_overflow",
  MessageOutputLengthError: "output_limit",
};
const causesByStatus: Readonly<Record<number, Cause>> = { 401: "auth_failed", 403: "auth_failed", 429: "rate_limited" };

export function isAbort({ name }: NativeError): boolean {
  return name === "MessageAbortedError";
}

export function causeOf({ name, data = {} }: NativeError): Cause {
  const { statusCode = 0, message = "" } = data;
  if (Object.hasOwn(causesByName, name)) return causesByName[name] ?? "agent_error";
  if (name === "APIError") return causesByStatus[statusCode] ?? "provider_error";
  if (/content filter/i.test(message)) return "refused";
  return /model not found/i.test(message) ? "model_not_found" : "agent_error";
}

/** Only the message and the status: headers and bodies of providers may hold the key. */
export function errorBody(error: NativeError): Body<"error"> {
  const code = causeOf(error);
  const { statusCode } = error.data ?? {};
  const retryable = code === "rate_limited" || (code === "provider_error" && (statusCode ?? 500) >= 500);
  const details = statusCode === undefined ? {} : { details: { statusCode } };
  return { type: "error", data: { code, message: describeError(error), retryable, ...details } };
}

/** Stack traces of OpenCode's own code say nothing to a person. */
export function describeError({ name, data }: NativeError): string {
  return (data?.message ?? name).split("\n    at ")[0] ?? name;
}
