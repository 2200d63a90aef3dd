import { createHash } from "node:crypto";
import type { ModelRequest } from "../request/model-request.ts";
import type { RequestPattern } from "./script.ts";
import { fits, type TextPattern } from "./text-pattern.ts";

type Fields = Omit<RequestPattern, "not">;

/** One field that does not fit: what was asked for and what was there. */
export interface Mismatch {
  readonly field: string;
  readonly wanted: string;
  readonly found: string;
}

/** Every field of a pattern that the request does not fit; none means it matches. */
export function mismatches(pattern: RequestPattern, request: ModelRequest): Mismatch[] {
  const { not, ...fields } = pattern;
  const missing = checkFields(fields, request).filter((check) => !check.holds);
  const forbidden = not === undefined ? [] : checkFields(not, request).filter((check) => check.holds);
  return [
    ...missing.map(({ field, wanted, found }) => ({ field, wanted, found: shorten(found) })),
    ...forbidden.map(({ field, wanted, found }) => ({ field: `not.${field}`, wanted, found: shorten(found) })),
  ];
}

export function matches(pattern: RequestPattern | undefined, request: ModelRequest): boolean {
  return pattern === undefined || mismatches(pattern, request).length === 0;
}

export function firstUserSha256(request: ModelRequest): string {
  return createHash("sha256")
    .update(request.userTexts[0] ?? "")
    .digest("hex");
}

interface Check extends Mismatch {
  readonly holds: boolean;
}

function checkFields(fields: Fields, request: ModelRequest): Check[] {
  const texts: Record<Exclude<keyof Fields, "header" | "firstUserSha256">, string> = {
    user: request.userTexts.at(-1) ?? "",
    firstUser: request.userTexts[0] ?? "",
    system: request.system,
    toolResult: request.toolResults.join("\n"),
    model: request.model,
    offersTool: request.tools.map((tool) => tool.name).join("\n"),
    body: request.bodyText,
    agent: request.agent ?? "",
    protocol: request.protocol,
  };
  const found: Check[] = [];
  for (const [field, text] of Object.entries(texts)) {
    found.push(...checkText(field, fields[field as keyof typeof texts], text));
  }
  for (const [name, pattern] of Object.entries(fields.header ?? {})) {
    found.push(...checkText(`header.${name}`, pattern, request.headers[name.toLowerCase()] ?? ""));
  }
  if (fields.firstUserSha256 !== undefined) {
    found.push(...checkText("firstUserSha256", `=${fields.firstUserSha256}`, firstUserSha256(request)));
  }
  return found;
}

function checkText(field: string, pattern: TextPattern | undefined, text: string): Check[] {
  if (pattern === undefined) return [];
  const wanted = typeof pattern === "string" ? [pattern] : pattern;
  return wanted.map((one) => ({ field, wanted: one, found: text, holds: fits(one, text) }));
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
