import { withEntry } from "@muster/core";
import type { PlanEntry } from "@muster/schema";
import { z } from "zod";
import { emit } from "../../converter/steps.ts";
import type { ToolCallLine } from "../wire/native.ts";
import { agentOf, type CodebuffState, type CodebuffStep, root } from "../wire/state.ts";

const Todos = z.object({ todos: z.array(z.object({ task: z.string(), completed: z.boolean() })) });
const Goal = z.object({ id: z.string(), objective: z.string().optional(), status: z.string().optional() });

const goalStates: Readonly<Record<string, PlanEntry["status"]>> = {
  NOT_STARTED: "pending",
  IN_PROGRESS: "in_progress",
  COMPLETE: "completed",
  ABORTED: "cancelled",
};

/** The list of the agent that leads the conversation, whole each time; those of its sub-agents are their own business. */
export function updatePlan(state: CodebuffState, line: ToolCallLine): CodebuffStep {
  if (agentOf(line) !== root) return emit(state);
  switch (line.toolName) {
    case "write_todos": {
      const read = Todos.safeParse(line.input);
      if (!read.success) return emit(state);
      return tell(
        state,
        read.data.todos.map(({ task, completed }) => ({ content: task, status: completed ? "completed" : "pending" })),
      );
    }
    case "add_subgoal":
    case "update_subgoal":
      return updateGoal(state, Goal.safeParse(line.input).data);
    default:
      return emit(state);
  }
}

function updateGoal(state: CodebuffState, goal: z.infer<typeof Goal> | undefined): CodebuffStep {
  if (goal === undefined) return emit(state);
  const known = state.goals.get(goal.id);
  const content = goal.objective ?? known?.content ?? goal.id;
  const status = goalStates[goal.status ?? ""] ?? known?.status ?? "pending";
  const goals = withEntry(state.goals, goal.id, { content, status });
  return tell({ ...state, goals }, [...goals.values()]);
}

function tell(state: CodebuffState, entries: PlanEntry[]): CodebuffStep {
  return emit(state, { type: "plan.updated", data: { entries } });
}
