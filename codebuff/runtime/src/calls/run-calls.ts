import { errorOutput, interruptedMessage, type ToolCall, type ToolOutput } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { AgentRun } from "../agent-run.ts";
import { addCosts } from "../cost.ts";
import { Cancelled } from "../failures.ts";
import type { AnsweredCall } from "../history/messages.ts";
import type { PendingCall } from "../pending-call.ts";
import type { MarkedCall, ToolRunResult } from "../ports.ts";
import { isLoopTool, runLoopTool } from "./loop-tools.ts";
import { ProgressLimit } from "./progress-limit.ts";

/** How long tools may take after an abort to hand over what they have. */
const lastWordsMs = 150;

/**
 * Runs the calls of a step and shows each result. Those of the port go to it as they stand, it knows what may run side by
 * side; those of the loop run alone where they stand, so that a helper sees the edit before it. One result per call, in
 * call order, also after an abort: then the remaining ones say that they were interrupted.
 */
export async function runCalls(run: AgentRun, calls: readonly PendingCall[]): Promise<AnsweredCall[]> {
  const answered: AnsweredCall[] = [];
  for (const stretch of splitAtLoopTools(calls)) {
    const results = await runStretch(run, stretch);
    stretch.forEach(({ call }, index) => {
      const { output, durationMs } = results[index] ?? { output: errorOutput("The tool gave no result") };
      run.emit.toolResult(call, output, durationMs);
      answered.push({ call, output });
    });
  }
  return answered;
}

function splitAtLoopTools(calls: readonly PendingCall[]): PendingCall[][] {
  const stretches: PendingCall[][] = [];
  for (const pending of calls) {
    const last = stretches.at(-1);
    if (last?.[0] !== undefined && goesToPort(last[0]) && goesToPort(pending)) last.push(pending);
    else stretches.push([pending]);
  }
  return stretches;
}

function goesToPort({ call, refusal }: PendingCall): boolean {
  return refusal === undefined && !isLoopTool(call.toolName);
}

type Ran = Pick<ToolRunResult, "output" | "durationMs">;

async function runStretch(run: AgentRun, stretch: readonly PendingCall[]): Promise<Ran[]> {
  const [first] = stretch;
  if (first === undefined) return [];
  if (first.refusal !== undefined) return [{ output: errorOutput(first.refusal) }];
  if (run.tree.signal.aborted) return stretch.map(() => ({ output: interrupted }));
  const { toolName } = first.call;
  if (!isLoopTool(toolName)) {
    const calls = stretch.map(({ call }) => call);
    return runThroughPort(run, calls);
  }
  try {
    return [{ output: await runLoopTool(run, toolName, first) }];
  } catch (error) {
    return [{ output: error instanceof Cancelled ? interrupted : errorOutput(messageOf(error)) }];
  }
}

async function runThroughPort(run: AgentRun, calls: readonly MarkedCall[]): Promise<Ran[]> {
  const { clock, tools } = run.tree.ports;
  const progress = new ProgressLimit(clock, (call, output) => run.emit.toolProgress(call, output));
  const say = (call: ToolCall, output: string) => {
    if (!run.tree.signal.aborted) progress.add(call, output);
  };
  const work = Promise.resolve()
    .then(() => tools.run(calls, run.scope, say))
    .catch((error): ToolRunResult[] => calls.map((call) => ({ ...call, output: errorOutput(messageOf(error)) })));
  const results = await withLastWords(run, work);
  progress.close();
  run.memory.direct = addCosts(run.memory.direct, ...results.flatMap(({ cost }) => (cost === undefined ? [] : [cost])));
  const byId = new Map(results.map((result) => [result.toolCallId, result]));
  return calls.map(({ toolCallId }) => byId.get(toolCallId) ?? { output: missing(run) });
}

/** The results, or after an abort what came within a moment. */
async function withLastWords(
  { tree }: AgentRun,
  work: Promise<readonly ToolRunResult[]>,
): Promise<readonly ToolRunResult[]> {
  const over = new AbortController();
  const late = new Promise<readonly ToolRunResult[]>((resolve) => {
    const onAbort = () => {
      tree.ports.clock.sleep(lastWordsMs, over.signal).then(
        () => resolve([]),
        () => undefined, // the tools were quicker
      );
    };
    if (tree.signal.aborted) onAbort();
    else tree.signal.addEventListener("abort", onAbort, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

const interrupted = errorOutput(interruptedMessage);

function missing({ tree }: AgentRun): ToolOutput {
  return tree.signal.aborted ? interrupted : errorOutput("The tool gave no result");
}
