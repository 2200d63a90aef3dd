import type { Body, Cause } from "@muster/schema";
import type { TurnError } from "../wire/native.ts";

/** codexErrorInfo → cause, as far as the word alone tells it (measured on 0.166.0, except where Codex was only read). */
const causesByWord: Readonly<Record<string, Cause>> = {
  contextWindowExceeded: "context_overflow",
  sessionBudgetExceeded: "budget_exceeded",
  usageLimitExceeded: "rate_limited",
  rateLimitExceeded: "rate_limited",
  responseTooManyFailedAttempts: "rate_limited",
  unauthorized: "auth_failed",
  modelNotFound: "model_not_found",
  cyberPolicy: "refused",
  misalignmentPolicyViolation: "refused",
  internalServerError: "provider_error",
  serverOverloaded: "provider_error",
  flexUnavailable: "provider_error",
  policyCapacityUnavailable: "provider_error",
  httpConnectionFailed: "provider_error",
  responseStreamConnectionFailed: "provider_error",
  responseStreamDisconnected: "provider_error",
  badRequest: "provider_error",
};

/** cause → the word with which Codex would have said it */
export const wordsByCause: Readonly<Partial<Record<Cause, string>>> = {
  context_overflow: "contextWindowExceeded",
  budget_exceeded: "sessionBudgetExceeded",
  rate_limited: "rateLimitExceeded",
  auth_failed: "unauthorized",
  model_not_found: "modelNotFound",
  refused: "cyberPolicy",
  provider_error: "internalServerError",
  agent_error: "sandboxError",
};

const retryable: ReadonlySet<Cause> = new Set<Cause>(["rate_limited", "provider_error"]);

/** Codex calls several failures of the provider `other`; its words for them are fixed (0.166.0). */
const providerWords = /^(stream disconnected|unexpected status|idle timeout|error sending request|\{\s*"error")/;

export function causeOf({ codexErrorInfo, message }: TurnError): Cause {
  const status = statusOf(codexErrorInfo) ?? statusIn(message);
  if (status === 401 || status === 403) return "auth_failed";
  if (status === 429) return "rate_limited";
  if (status === 404) return "model_not_found";
  const word = wordOf(codexErrorInfo);
  const known = Object.hasOwn(causesByWord, word) ? causesByWord[word] : undefined;
  if (known !== undefined && known !== "provider_error") return known;
  // What the provider calls an incomplete answer is told in words only (0.166.0).
  if (/reason: max_output_tokens/.test(message)) return "output_limit";
  if (/reason: content_filter/.test(message)) return "refused";
  if (known !== undefined) return known;
  if (/^Missing environment variable/.test(message)) return "auth_failed";
  return providerWords.test(message) ? "provider_error" : "agent_error";
}

export function errorOf(error: TurnError): Body<"error"> {
  const code = causeOf(error);
  const details = detailsOf(error);
  return {
    type: "error",
    data: { code, message: error.message, retryable: retryable.has(code), details },
  };
}

function detailsOf({ codexErrorInfo, additionalDetails }: TurnError): Record<string, unknown> | undefined {
  const status = statusOf(codexErrorInfo);
  if (status === undefined && !additionalDetails) return undefined;
  return { httpStatus: status, additionalDetails: additionalDetails || undefined };
}

function statusIn(message: string): number | undefined {
  const status = /^unexpected status (\d{3})\b/.exec(message)?.[1];
  return status === undefined ? undefined : Number(status);
}

function wordOf(info: TurnError["codexErrorInfo"]): string {
  return typeof info === "string" ? info : (Object.keys(info ?? {})[0] ?? "other");
}

function statusOf(info: TurnError["codexErrorInfo"]): number | undefined {
  if (typeof info !== "object" || info === null) return undefined;
  const [value] = Object.values(info);
  const status = typeof value === "object" && value !== null && "httpStatusCode" in value ? value.httpStatusCode : null;
  return typeof status === "number" ? status : undefined;
}
