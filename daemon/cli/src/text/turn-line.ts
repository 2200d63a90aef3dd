import type { Paint } from "@muster/core";
import { type Body, causes } from "@muster/schema";
import { printable } from "./printable.ts";
import { seconds } from "./tool-line.ts";

/** How a turn ended, how long it took and what it cost; why, unless that has just been told. */
export function turnLine(ended: Ended, paint: Paint, told?: string): string {
  const { status, cause, message, wire, durationMs } = ended;
  // What the gateway counted is what it cost, whatever the agent says.
  const { usage, costUsd } = wire ? { usage: wire, costUsd: wire.listUsd } : ended;
  const facts = [seconds(durationMs)];
  if (usage) facts.push(`${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out`);
  if (costUsd !== undefined && costUsd >= 0.00005) facts.push(`$${costUsd.toFixed(4)}`);
  const figures = `${paint.dim(facts.join(" · "))}\n`;
  if (status === "completed") return figures;
  if (cause === "interrupted_by_user") return `${paint.yellow(status)}\n${figures}`;
  const reason = message ?? (cause === undefined ? "" : causes[cause]);
  const code = cause === undefined ? "" : ` (${cause})`;
  const heading = `${status}${reason === "" || reason === told ? "" : `: ${printable(reason)}`}${code}`;
  return `${status === "interrupted" ? paint.yellow(heading) : paint.red(heading)}\n${figures}`;
}

type Ended = Body<"turn.ended">["data"];

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
