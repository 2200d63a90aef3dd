import type { z } from "zod";
import { readArguments } from "./repair-json.ts";

export type Checked =
  | { readonly ok: true; readonly input: Record<string, unknown>; readonly repaired: readonly string[] }
  | { readonly ok: false; readonly errorMessage: string };

/** Checks input against a schema, with defaults filled in; a field written as a JSON string is read as what it stands for. */
export function checkInput(schema: z.ZodType, input: unknown): Checked {
  const first = schema.safeParse(input);
  if (first.success) return { ok: true, input: first.data as Record<string, unknown>, repaired: [] };
  const copy: unknown = structuredClone(input);
  const repaired = first.error.issues.flatMap((issue) => unwrap(copy, issue.path));
  const second = repaired.length === 0 ? first : schema.safeParse(copy);
  if (second.success) return { ok: true, input: second.data as Record<string, unknown>, repaired };
  const faults = first.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
  return { ok: false, errorMessage: faults.join("; ") };
}

/** Reads the string at a path as JSON, if it is one. */
function unwrap(root: unknown, path: readonly PropertyKey[]): string[] {
  const last = path.at(-1);
  if (last === undefined) return [];
  const holder = path.slice(0, -1).reduce<unknown>(step, root);
  const value = step(holder, last);
  if (typeof value !== "string" || typeof holder !== "object" || holder === null) return [];
  const read = readArguments(value);
  if (read === undefined || typeof read.value === "string") return [];
  (holder as Record<PropertyKey, unknown>)[last] = read.value;
  return [`stringified ${path.join(".")}`];
}

function step(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}
