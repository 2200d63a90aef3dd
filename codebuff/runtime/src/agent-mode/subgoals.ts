import type { Subgoal, ToolInput } from "@muster/codebuff-protocol";

type Subgoals = Readonly<Record<string, Subgoal>>;

export function addSubgoal(subgoals: Subgoals, input: ToolInput<"add_subgoal">): Record<string, Subgoal> {
  const { id, objective, status, plan, log } = input;
  return { ...subgoals, [id]: { objective, status, plan, logs: log === undefined ? [] : [log] } };
}

/** Updating an unknown id creates it. */
export function updateSubgoal(subgoals: Subgoals, input: ToolInput<"update_subgoal">): Record<string, Subgoal> {
  const { id, status, plan, log } = input;
  const before: Subgoal = subgoals[id] ?? { logs: [] };
  const after = {
    ...before,
    status: status ?? before.status,
    plan: plan ?? before.plan,
    logs: log === undefined ? before.logs : [...before.logs, log],
  };
  return { ...subgoals, [id]: after };
}
