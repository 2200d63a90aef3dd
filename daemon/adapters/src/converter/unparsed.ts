import type { BrokenLine } from "@muster/node";
import type { Body } from "@muster/schema";

/** What could not be understood, kept as it came. `location` is where in the adapter it failed. */
export function unparsed(raw: unknown, error: string, location: string): Body<"agent.unparsed"> {
  return { type: "agent.unparsed", data: { raw, error, location } };
}

export function unparsedLine(line: BrokenLine): Body<"agent.unparsed"> {
  return unparsed(line.head, `${reasons[line.problem]} (${line.bytes} bytes)`, "jsonl");
}

const reasons: Record<BrokenLine["problem"], string> = {
  oversized: "The line is too long, this is its beginning",
  invalid_utf8: "The line is not UTF-8",
  unterminated: "The output ended in the middle of this line",
};
