import { isRecord } from "@muster/core";
import type { ToolKind } from "@muster/schema";
import { shownPath } from "./shown-path.ts";
import { listed } from "./titles.ts";

/** What is known of a tool by its name. */
export interface KnownTool {
  kind: ToolKind;
  /** The field of the input that names its file or files. */
  path?: string;
  /** The field a person recognises a call by, where that is no file. */
  subject?: string;
}

export type ToolInput = Record<string, unknown>;

/** An agent's tools: name → what they are to a client. Everything else is `other`. */
export function toolTable<Tool extends KnownTool>(tools: Readonly<Record<string, Tool>>) {
  const known = (name: string): Tool | undefined => (Object.hasOwn(tools, name) ? tools[name] : undefined);
  const pathsOf = (name: string, input: unknown, directory: string | undefined): string[] | undefined => {
    const value = fieldOf(input, known(name)?.path);
    const paths = Array.isArray(value) ? value : [value];
    return paths.every((path) => typeof path === "string" && path !== "")
      ? paths.map((path) => shownPath(path as string, directory))
      : undefined;
  };
  const subjectOf = (name: string, input: unknown): string | undefined => textOf(fieldOf(input, known(name)?.subject));
  return {
    known,
    kindOf: (name: string): ToolKind => known(name)?.kind ?? "other",
    /** The files a call is about, as they are shown. */
    pathsOf,
    /** The one thing a call is about that is no file: a command, a pattern, an address. */
    subjectOf,
    /** What a call is about, for a person: its files, or its subject; undefined while the input is not known. */
    titleOf: (name: string, input: unknown, directory: string | undefined): string | undefined =>
      subjectOf(name, input) ?? listed(pathsOf(name, input, directory) ?? []),
  };
}

export function asInput(input: unknown): ToolInput {
  return isRecord(input) ? input : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function fieldOf(input: unknown, field: string | undefined): unknown {
  return field === undefined ? undefined : asInput(input)[field];
}
