import type { PlanEntry } from "@muster/schema";
import { z } from "zod";
import { emit } from "../../../converter/steps.ts";
import type { Call, ClaudeState, ClaudeStep } from "../state.ts";

const statuses: Readonly<Record<string, PlanEntry["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  deleted: "cancelled",
};
const statusOf = (status: string | undefined): PlanEntry["status"] => statuses[status ?? "pending"] ?? "pending";

const Todos = z.object({ todos: z.array(z.object({ content: z.string(), status: z.string().optional() })) });
const Created = z.object({ task: z.object({ id: z.string(), subject: z.string() }) });
const Updated = z.object({
  taskId: z.string(),
  subject: z.string().optional(),
  status: z.string().optional(),
});
const Listed = z.object({
  tasks: z.array(z.object({ id: z.string(), subject: z.string(), status: z.string().optional() })),
});

/** The todo list after a tool that changed it; every tool that keeps one tells only its own part. */
export function updatePlan(state: ClaudeState, { name, input }: Call, result: unknown): ClaudeStep {
  const todos = changeTodos(state.todos, name, input, result);
  if (todos === undefined) return emit(state);
  return emit({ ...state, todos }, { type: "plan.updated", data: { entries: [...todos.values()] } });
}

function changeTodos(
  todos: ClaudeState["todos"],
  name: string,
  input: unknown,
  result: unknown,
): ClaudeState["todos"] | undefined {
  switch (name) {
    case "TodoWrite": {
      const list = Todos.safeParse(input);
      if (!list.success) return undefined;
      return new Map(
        list.data.todos.map(({ content, status }, index) => [String(index), { content, status: statusOf(status) }]),
      );
    }
    case "TaskCreate": {
      const created = Created.safeParse(result);
      if (!created.success) return undefined;
      const { id, subject } = created.data.task;
      return new Map(todos).set(id, { content: subject, status: "pending" });
    }
    case "TaskUpdate": {
      const update = Updated.safeParse(input);
      const old = update.success ? todos.get(update.data.taskId) : undefined;
      if (!update.success || old === undefined) return undefined;
      const { taskId, subject = old.content, status } = update.data;
      return new Map(todos).set(taskId, { content: subject, status: status ? statusOf(status) : old.status });
    }
    case "TaskList": {
      const list = Listed.safeParse(result);
      if (!list.success) return undefined;
      return new Map(
        list.data.tasks.map(({ id, subject, status }) => [id, { content: subject, status: statusOf(status) }]),
      );
    }
    default:
      return undefined;
  }
}
