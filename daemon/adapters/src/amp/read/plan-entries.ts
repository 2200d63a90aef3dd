import type { PlanEntry } from "@muster/schema";
import { z } from "zod";
import { emit } from "../../converter/steps.ts";
import type { AmpState, AmpStep, Call } from "../wire/state.ts";

const Todos = z.object({ todos: z.array(z.object({ content: z.string(), status: z.string().optional() })) });

const statuses: Readonly<Record<string, PlanEntry["status"]>> = {
  "in-progress": "in_progress",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "cancelled",
};

/** The todo list after the tool that wrote it. */
export function updatePlan(state: AmpState, { name, input }: Call): AmpStep {
  const list = name === "todo_write" ? Todos.safeParse(input) : undefined;
  if (!list?.success) return emit(state);
  const entries = list.data.todos.map(({ content, status = "" }) => ({
    content,
    status: statuses[status] ?? "pending",
  }));
  return emit(state, { type: "plan.updated", data: { entries } });
}
