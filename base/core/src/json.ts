/** What a text says as JSON; `otherwise` where it is none or was cut off: whoever asks knows what that means. */
export function parseJson(text: string | undefined, otherwise?: unknown): unknown {
  if (text === undefined) return otherwise;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's words are for people who write JSON; none of those who ask here tell them.
    return otherwise;
  }
}

/** An object with fields: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
