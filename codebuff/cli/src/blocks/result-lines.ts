import type { ToolOutput } from "@muster/codebuff-protocol";
import { isRecord } from "@muster/core";
import { printable } from "../text/printable.ts";
import type { ToolItem } from "../transcript/items.ts";
import type { BlockContext } from "./block-context.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A result unfolded, as text: files under their names, what a search or a page gave, anything else as `name: value`. */
export function resultLines({ result = [] }: Pick<ToolItem, "result">, { theme, links }: BlockContext): string[] {
  return result.flatMap((part) => {
    if (part.type === "media") return [theme.dim(`(${part.mediaType}, ${Math.ceil(part.data.length * 0.75)} bytes)`)];
    return (Array.isArray(part.value) ? part.value : [part.value]).flatMap((value) => valueLines(value, theme, links));
  });
}

/** How much a search or a listing found; empty for every other tool. */
export function foundCount(toolName: string, output: ToolOutput): string {
  const value = output.find(({ type }) => type === "json");
  const fields = value?.type === "json" && isRecord(value.value) ? value.value : {};
  const { stdout, files, directories } = fields;
  if (toolName === "code_search" && typeof stdout === "string") return searchCount(stdout);
  if (toolName === "glob" && Array.isArray(files)) return countOf(files.length, "file");
  if (toolName === "list_directory" && Array.isArray(files) && Array.isArray(directories))
    return `${countOf(files.length, "file")}, ${countOf(directories.length, "directory", "directories")}`;
  return "";
}

/** Hits stand as `<number>:text` below `<file>:`; lines of context have a dash in place of the colon. */
function searchCount(stdout: string): string {
  if (stdout.trim() === "") return "nothing found";
  const lines = stdout.split("\n");
  const hits = lines.filter((line) => /^\s*\d+:/.test(line)).length;
  const files = lines.filter((line) => /^\S.*:$/.test(line) && !/^\d+:/.test(line)).length;
  if (hits === 0 || files === 0) return countOf(lines.filter((line) => line !== "").length, "line");
  return `${countOf(hits, "hit")} in ${countOf(files, "file")}`;
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function valueLines(value: unknown, theme: BlockContext["theme"], links: BlockContext["links"]): string[] {
  if (!isRecord(value)) return textLines(scalarText(value));
  const { path, content, stdout, stderr, files, directories } = value;
  if (typeof path === "string" && typeof content === "string")
    return [theme.strong(links?.file(path, printable(path)) ?? printable(path)), ...textLines(content)];
  if (typeof stdout === "string")
    return [stdout, stderr].flatMap((text) => textLines(typeof text === "string" ? text : ""));
  if (isTexts(files) && isTexts(directories))
    return [...directories.map((name) => `${name}/`), ...files].map(printable);
  if (isTexts(files)) return files.map(printable);
  return fieldLines(value, theme);
}

/** A value of several lines stands below its name. */
function fieldLines(fields: Fields, theme: BlockContext["theme"]): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const label = theme.dim(`${printable(name)}:`);
    const inner = Array.isArray(value)
      ? value.flatMap((one) => (isRecord(one) ? fieldLines(one, theme) : textLines(scalarText(one))))
      : isRecord(value)
        ? fieldLines(value, theme)
        : textLines(scalarText(value));
    if (inner.length === 1 && !isRecord(value)) return [`${label} ${inner[0]}`];
    return [label, ...inner.map((line) => `  ${line}`)];
  });
}

function scalarText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textLines(text: string): string[] {
  const shown = printable(text).trimEnd();
  return shown === "" ? [] : shown.split("\n");
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
