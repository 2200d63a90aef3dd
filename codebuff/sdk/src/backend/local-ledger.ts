import { randomUUID } from "node:crypto";
import type { Ledger, RunEnd, StepRecord } from "@muster/codebuff-runtime";

export interface LocalRun {
  readonly runId: string;
  readonly agentType: string;
  readonly ancestorRunIds: readonly string[];
  readonly steps: StepRecord[];
  end: RunEnd | undefined;
}

/** Takes the server's place when the person pays the vendor directly: the same records, kept in memory. */
export class LocalLedger implements Ledger {
  readonly runs = new Map<string, LocalRun>();

  async start({ agentType, ancestorRunIds }: Parameters<Ledger["start"]>[0]): Promise<{ runId: string }> {
    const runId = `run_${randomUUID()}`;
    this.runs.set(runId, { runId, agentType, ancestorRunIds, steps: [], end: undefined });
    return { runId };
  }

  step(runId: string, step: StepRecord): void {
    this.runs.get(runId)?.steps.push(step);
  }

  finish(runId: string, end: RunEnd): void {
    const run = this.runs.get(runId);
    if (run !== undefined) run.end = end;
  }

  async drain(): Promise<void> {}
}
