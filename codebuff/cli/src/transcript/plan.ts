import type { Entry } from "./items.ts";

interface PlanStep {
  readonly id: string;
  readonly text: string;
  readonly state: "open" | "active" | "done" | "dropped";
}

/** Todos and subgoals as they stand now, and how many steps the run has made. */
export interface Plan {
  readonly steps: readonly PlanStep[];
}

export const noPlan: Plan = { steps: [] };

const states: Readonly<Record<string, PlanStep["state"]>> = {
  NOT_STARTED: "open",
  IN_PROGRESS: "active",
  COMPLETE: "done",
  ABORTED: "dropped",
};

/** Pure: the plan after one more entry. */
export function foldPlan(plan: Plan, entry: Entry): Plan {
  if (entry.type !== "tool_call") return plan;
  const { toolName, input } = entry;
  if (toolName === "write_todos" && Array.isArray(input.todos)) return { steps: input.todos.map(stepOfTodo) };
  if (toolName === "add_subgoal" || toolName === "update_subgoal") return { steps: withSubgoal(plan.steps, input) };
  return plan;
}

function stepOfTodo(todo: unknown, at: number): PlanStep {
  const { task, completed } = (todo ?? {}) as { task?: unknown; completed?: unknown };
  return { id: String(at), text: String(task ?? ""), state: completed === true ? "done" : "open" };
}

function withSubgoal(steps: readonly PlanStep[], input: Readonly<Record<string, unknown>>): PlanStep[] {
  const id = String(input.id ?? "");
  const before = steps.find((step) => step.id === id);
  const state = states[String(input.status ?? "")] ?? before?.state ?? "open";
  const step = { id, text: String(input.objective ?? before?.text ?? id), state };
  return before === undefined ? [...steps, step] : steps.map((one) => (one.id === id ? step : one));
}
