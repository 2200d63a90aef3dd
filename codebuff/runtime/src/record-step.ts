import type { AgentRun } from "./agent-run.ts";
import type { Cost } from "./cost.ts";
import type { StepRecord } from "./ports.ts";

/** What the agent had spent and spawned when the step began. */
export interface BeforeStep {
  readonly cost: Cost;
  readonly children: number;
}

type StepFacts = Pick<StepRecord, "messageId" | "startTime" | "errorMessage"> & Partial<Pick<StepRecord, "status">>;

/** Tells the ledger about one step, with or without a model. */
export function recordStep({ memory, scope, tree }: AgentRun, before: BeforeStep, facts: StepFacts): void {
  const { millicredits, known } = memory.direct;
  tree.ports.ledger.step(scope.runId, {
    stepNumber: ++memory.stepNumber,
    cost: { millicredits: millicredits - before.cost.millicredits, known },
    childRunIds: memory.childRunIds.slice(before.children),
    status: "completed",
    ...facts,
  });
}
