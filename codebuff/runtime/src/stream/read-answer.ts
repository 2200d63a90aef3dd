import { errorOutput, interruptedMessage, type Usage } from "@muster/codebuff-protocol";
import type { AgentRun } from "../agent-run.ts";
import { addCosts } from "../cost.ts";
import { Cancelled, RunFailure } from "../failures.ts";
import { assistantText, callsAndResults, note } from "../history/messages.ts";
import type { ModelRequest } from "../ports.ts";
import { processStream, type StreamEnd, type StreamedAnswer } from "./process-stream.ts";

const cutsForgiven = 2;
const emptyForgiven = 1;

export type WholeAnswer = StreamedAnswer & { readonly end: Extract<StreamEnd, { type: "finished" }> };

/**
 * An answer that ended by itself. A cut one is asked for again and what was shown of it withdrawn; an empty one is asked
 * for once more. When that is not enough, what was shown stays, every announced call gets a result, and the run fails.
 */
export async function readAnswer(run: AgentRun, request: ModelRequest): Promise<WholeAnswer> {
  let cuts = 0;
  let empty = 0;
  let asked = request;
  for (;;) {
    const answer = await processStream(run, asked);
    const { end } = answer;
    charge(run, answer);
    switch (end.type) {
      case "cancelled":
        await keep(run, answer, interruptedMessage);
        throw new Cancelled();
      case "failed":
        await keep(run, answer, `Not run: ${end.message}`);
        throw new RunFailure(end.code, end.message, end.statusCode);
      case "cut":
        if (cuts++ < cutsForgiven) {
          withdraw(run, answer, end.reason);
          continue;
        }
        await keep(run, answer, `Not run: ${end.reason}`);
        throw new RunFailure("stream_cut", `The model's answer broke off ${cuts} times: ${end.reason}`);
      case "finished":
        scaleEstimate(run, end.finish.usage);
        if (!isEmpty(answer)) return { ...answer, end };
        if (empty++ >= emptyForgiven) throw new RunFailure("empty_answer", "The model gave an empty answer twice");
        withdraw(run, answer, "The model's answer was empty");
        asked = answer.hasReasoning || end.finish.reason === "length" ? shortenRequest(run, request) : request;
    }
  }
}

/** Adds what a model call cost to the agent and its tokens to the tree, also when it was interrupted or broke off. */
export function charge(run: AgentRun, { spent }: StreamedAnswer): void {
  if (spent === undefined) return;
  const { cost, usage } = spent;
  run.memory.direct = addCosts(run.memory.direct, cost);
  const total = run.tree.spent.usage;
  for (const [name, value] of Object.entries(usage)) {
    if (typeof value !== "number") continue;
    const before = total[name];
    total[name] = (typeof before === "number" ? before : 0) + value;
  }
}

/** The next estimate is scaled by how far this one was off; wild reports are not believed. */
function scaleEstimate({ memory }: AgentRun, { inputTokens }: Usage): void {
  if (inputTokens === undefined || inputTokens < 1_000 || memory.contextTokens === 0) return;
  const scale = (memory.tokenScale * inputTokens) / memory.contextTokens;
  memory.tokenScale = Math.min(2, Math.max(0.75, scale));
}

function isEmpty({ texts, calls }: StreamedAnswer): boolean {
  return calls.length === 0 && texts.join("").trim() === "";
}

function shortenRequest(run: AgentRun, request: ModelRequest): ModelRequest {
  const text = "Your last answer held only thoughts. Think less and answer shortly, or call a tool.";
  return { ...request, messages: [...request.messages, note(text, run.tree.ports.clock.now())] };
}

/** What was shown does not count: the step is tried again. */
function withdraw({ emit }: AgentRun, { texts, calls }: StreamedAnswer, reason: string): void {
  const characters = texts.join("").length;
  const toolCallIds = calls.map(({ call }) => call.toolCallId);
  if (characters > 0 || toolCallIds.length > 0) {
    emit.warn("withdrawn", `${reason}; the step is tried again`, { characters, toolCallIds });
  } else {
    emit.warn("retrying", `${reason}; the step is tried again`);
  }
  for (const { call } of calls) emit.toolResult(call, errorOutput("Withdrawn: the step is tried again"));
}

/** What was shown enters history, each call with the reason why it did not run. */
async function keep(
  { emit, history, tree }: AgentRun,
  { texts, calls }: StreamedAnswer,
  reason: string,
): Promise<void> {
  const now = tree.ports.clock.now();
  const output = errorOutput(reason);
  const answered = calls.map(({ call }) => ({ call, output }));
  for (const { call } of answered) emit.toolResult(call, output);
  const shown = texts.filter((text) => text.trim() !== "").map((text) => assistantText(text, now));
  await history.append(...shown, ...callsAndResults(answered, now));
}
