import { messageOf } from "@muster/core";
import { z } from "zod";

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why the YAML cannot be read, in one line. */
  readonly fault?: string;
}

/** A page of Markdown with fields at its top; undefined where it has none. */
export async function readFrontMatter(text: string): Promise<FrontMatter | undefined> {
  const [, front, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
  if (front === undefined || body === undefined) return undefined;
  const { parse } = await import("yaml");
  try {
    return { fields: z.record(z.string(), z.unknown()).catch({}).parse(parse(front)), body };
  } catch (error) {
    return { fields: linesOf(front), body, fault: messageOf(error).split("\n")[0] };
  }
}

/** `argument-hint: [file] [why]` is no YAML, but every line is plain enough. */
function linesOf(front: string): Record<string, string> {
  const lines = front.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value.trim()] as const];
  });
  return Object.fromEntries(lines);
}
