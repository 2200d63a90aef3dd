import { isRecord } from "@muster/core";

/** Reading JSON of unknown shape: what is not there, or of another kind, is empty. */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function asTextOrNothing(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Content of a message in any of the three protocols: a text, or a list of parts of which some hold text. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part) => asText(asRecord(part).text))
    .filter((text) => text !== "")
    .join("\n");
}
