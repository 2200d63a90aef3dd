import { type Body, causes } from "@muster/schema";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { seconds } from "./tool-line.ts";

/** How a turn ended, how long it took and what it cost. */
export function turnLine({ status, cause, message, usage, costUsd, durationMs }: Ended, paint: Paint): string {
  const facts = [seconds(durationMs)];
  if (usage) facts.push(`${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out`);
  if (costUsd !== undefined && costUsd >= 0.00005) facts.push(`$${costUsd.toFixed(4)}`);
  const told = paint.dim(facts.join(" · "));
  if (status === "completed") return `${told}\n`;
  const reason = printable(message ?? (cause === undefined ? "" : causes[cause]));
  const code = cause === undefined ? "" : ` (${cause})`;
  const heading = `${status}${reason === "" ? "" : `: ${reason}`}${code}`;
  return `${status === "interrupted" ? paint.yellow(heading) : paint.red(heading)}\n${told}\n`;
}

type Ended = Body<"turn.ended">["data"];

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
