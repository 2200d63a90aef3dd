import type { Readable } from "node:stream";
import { ControlLine } from "@muster/codebuff-protocol";
import { readLines } from "@muster/node";
import { z } from "zod";

/** A line that says nothing we know; the run goes on. */
export interface BadLine {
  readonly type: "bad_line";
  readonly message: string;
}

/** Pictures travel in a line; the last one may lack its LF. */
const lines = { lineBytes: 64 * 1024 * 1024, unterminated: "line", invalid: "replaced" } as const;

/** The control channel: one message per line, blank lines are nothing. */
export async function* readControlLines(stream: Readable): AsyncGenerator<ControlLine | BadLine> {
  for await (const line of readLines(stream, lines)) {
    if (typeof line !== "string") yield badLine("a line is too long");
    else if (line.trim() !== "") yield parseControlLine(line);
  }
}

export function parseControlLine(line: string): ControlLine | BadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return badLine("a line is not JSON");
  }
  const parsed = ControlLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const type = z.looseObject({ type: z.string() }).safeParse(value).data?.type;
  const known = ControlLine.options.some((option) => option.shape.type.value === type);
  if (!known)
    return badLine(type === undefined ? "a line has no type" : `the type ${JSON.stringify(type)} is not known`);
  const [issue] = parsed.error.issues;
  return badLine(`${type}: ${issue?.path.join(".") || "the line"}: ${issue?.message ?? "does not fit"}`);
}

function badLine(message: string): BadLine {
  return { type: "bad_line", message: `Standard input: ${message}` };
}
