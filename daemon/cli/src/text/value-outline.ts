import { isRecord } from "@muster/core";
import { printable } from "./printable.ts";

/** Any JSON value as `key: value` lines; what is nested is indented below its key. */
export function outline(value: unknown, indent = ""): string {
  if (Array.isArray(value)) {
    return value.map((entry) => `${indent}- ${outline(entry, `${indent}  `).trimStart()}`).join("");
  }
  if (!isRecord(value)) return `${indent}${scalar(value, indent)}\n`;
  return Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(([key, entry]) => `${indent}${key}:${outlineField(entry, indent)}`)
    .join("");
}

function outlineField(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.every((entry) => !isRecord(entry) && !Array.isArray(entry))) {
    return ` ${value.length === 0 ? "none" : value.map((entry) => scalar(entry, indent)).join(", ")}\n`;
  }
  if (isRecord(value) && Object.keys(value).length === 0) return " none\n";
  return isRecord(value) || Array.isArray(value) ? `\n${outline(value, `${indent}  `)}` : ` ${scalar(value, indent)}\n`;
}

function scalar(value: unknown, indent: string): string {
  return printable(String(value)).replaceAll("\n", `\n${indent}  `);
}
