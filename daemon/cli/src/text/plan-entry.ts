import type { Paint } from "@muster/core";
import type { Body } from "@muster/schema";
import { printable } from "./printable.ts";

const planMarks = { pending: "[ ]", in_progress: "[>]", completed: "[x]", cancelled: "[-]" } as const;

/** `[x] look around`: one entry of a plan. */
export function planEntry({ content, status }: Body<"plan.updated">["data"]["entries"][number], paint: Paint): string {
  const line = `  ${planMarks[status]} ${printable(content)}`;
  return status === "completed" || status === "cancelled" ? paint.dim(line) : line;
}
