import { parseJson } from "@muster/core";
import { type Cause, causes } from "@muster/schema/wire";

/** What a person reads of a failure: the words in a provider's JSON instead of the JSON, and never nothing. */
export function plainMessage(message: string | undefined, cause: Cause): string {
  const plain = withoutJson(message ?? "").trim();
  return plain === "" ? causes[cause] : plain;
}

/** A limit that ended a turn, with its number: `… for 300 s (turnIdleMs)`. */
export function limitMessage(cause: Cause, limits: Readonly<Partial<Record<string, number>>>): string {
  return causes[cause].replace(/\w+Ms$/, (name) => `${(limits[name] ?? 0) / 1000} s (${name})`);
}

/** `API Error: 401 {"error":{"message":"invalid key"}}` → `API Error: 401 invalid key` */
function withoutJson(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return text;
  // Braces that are no JSON are words like all others.
  const words = readMessage(parseJson(text.slice(start, end + 1)));
  return words === undefined ? text : `${text.slice(0, start)}${words}${text.slice(end + 1)}`;
}

function readMessage(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { message, error, detail } = value as Record<string, unknown>;
  return readMessage(message) ?? readMessage(error) ?? readMessage(detail) ?? "";
}
