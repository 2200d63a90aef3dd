import { agentModeId, outputError, type PrintModeEvent, type PrintModeEventOf } from "@muster/codebuff-protocol";
import type { Paint } from "@muster/core";
import { formatCost, formatDuration } from "./amounts.ts";
import { oneLine, printable } from "./printable.ts";
import { dollarsOfRun } from "./run-cost.ts";
import { toolLabel, toolTitle } from "./tool-title.ts";

/**
 * What text mode writes: the answer to standard output, everything about the work to standard error. Each text of the model
 * is written as it came; what sets a note apart from it goes with the note.
 */
export interface Written {
  readonly answer: string;
  readonly notes: string;
}

interface OpenCall {
  readonly title: string;
  readonly startedMs: number;
}

const nothing: Written = { answer: "", notes: "" };
const lineWidth = 160;

/** Turns the events of a run into text for a person: the answer as it streams, one line for each tool, the cost. */
export class RunText {
  readonly #paint: Paint;
  readonly #clean: (text: string) => string;
  readonly #calls = new Map<string, OpenCall>();
  readonly #depths = new Map<string, number>();
  #startedMs = 0;
  /** The answer so far does not end with a newline. */
  #midLine = false;
  /** A note stands below the answer's unfinished line already. */
  #isNoted = false;
  /** A text of the model has ended; the next one begins apart from it. */
  #isBetween = false;
  #answered = false;

  /** `clean` is off where the answer goes into a file or a pipe: what the model wrote is then left as it is. */
  constructor(paint: Paint, { clean }: { clean: boolean }) {
    this.#paint = paint;
    this.#clean = clean ? printable : (text) => text;
  }

  /** What the run is busy with, for a sign of life in a long silence. */
  get busyWith(): string {
    return [...this.#calls.values()].at(-1)?.title ?? "waiting for the model";
  }

  /** The answer does not end with a newline. */
  get isMidLine(): boolean {
    return this.#midLine;
  }

  write(event: PrintModeEvent, nowMs: number): Written {
    switch (event.type) {
      case "start":
        this.#startedMs = nowMs;
        return event.agentId === agentModeId ? this.#note(this.#paint.dim(`agent mode on ${event.model}`)) : nothing;
      case "text":
        return this.#writeText(event);
      case "tool_call":
        return this.#openCall(event, nowMs);
      case "tool_result":
        return this.#closeCall(event, nowMs);
      case "subagent_start":
        return this.#openAgent(event);
      case "subagent_finish":
        return nothing;
      case "error":
        // What was said does not count, and is said again.
        if (event.code === "withdrawn") this.#isBetween = true;
        return this.#note(this.#paint[event.fatal === false ? "yellow" : "red"](`! ${oneLine(event.message, 2000)}`));
      case "download":
        return this.#note(`download ${event.version}: ${event.status}`);
      case "finish":
        return this.#finish(event, nowMs);
      case "reasoning_delta":
      case "tool_progress":
        return nothing;
    }
  }

  /** A sub-agent's words are for its parent; the person sees its line and the answer made of it. */
  #writeText({ text, agentId }: PrintModeEventOf<"text">): Written {
    if (agentId !== undefined && this.#depths.has(agentId)) return nothing;
    const said = this.#clean(text);
    if (said === "") {
      if (text === "") this.#isBetween = true;
      return nothing;
    }
    const gap = this.#isBetween && this.#answered ? (this.#midLine ? "\n\n" : "\n") : "";
    this.#isBetween = false;
    this.#isNoted = false;
    this.#midLine = !said.endsWith("\n");
    this.#answered = true;
    return { answer: gap + said, notes: "" };
  }

  #openCall(event: PrintModeEventOf<"tool_call">, nowMs: number): Written {
    const { toolCallId, toolName, input, permission, agentId, parentAgentId } = event;
    if (!this.#depths.has(parentAgentId ?? agentId ?? "")) this.#isBetween = true;
    const title = oneLine(`${toolLabel({ toolName, permission })} ${toolTitle(toolName, input)}`, lineWidth);
    this.#calls.set(toolCallId, { title, startedMs: nowMs });
    return nothing;
  }

  #closeCall({ toolCallId, toolName, output, parentAgentId }: PrintModeEventOf<"tool_result">, nowMs: number): Written {
    const { title, startedMs } = this.#calls.get(toolCallId) ?? { title: toolName, startedMs: nowMs };
    this.#calls.delete(toolCallId);
    const failure = outputError(output) ?? exitFailure(output);
    const mark = failure === undefined ? this.#paint.green("✓") : this.#paint.red("✗");
    const reason = failure === undefined ? "" : this.#paint.red(` ${oneLine(failure, lineWidth)}`);
    const time = this.#paint.dim(` ${formatDuration(nowMs - startedMs)}`);
    return this.#note(`${this.#indent(parentAgentId)}${mark} ${title}${reason}${time}`);
  }

  #openAgent({ agentId, displayName, prompt, parentAgentId }: PrintModeEventOf<"subagent_start">): Written {
    this.#depths.set(agentId, (this.#depths.get(parentAgentId ?? "") ?? 0) + 1);
    const task = prompt === undefined ? "" : this.#paint.dim(` ${oneLine(prompt, lineWidth)}`);
    return this.#note(`${this.#indent(parentAgentId)}${this.#paint.cyan(`◆ ${oneLine(displayName, 60)}`)}${task}`);
  }

  #finish(event: PrintModeEventOf<"finish">, nowMs: number): Written {
    const { status, costUnknown, costEstimated: isEstimated } = event;
    const cost = formatCost({ usd: costUnknown === true ? undefined : dollarsOfRun(event), isEstimated });
    const ended = status === undefined || status === "completed" ? "" : `${status} · `;
    return this.#note(this.#paint.dim(`${ended}${formatDuration(nowMs - this.#startedMs)} · ${cost}`));
  }

  #note(line: string): Written {
    const gap = this.#midLine && !this.#isNoted ? "\n" : "";
    this.#isNoted = true;
    return { answer: "", notes: `${gap}${line}\n` };
  }

  #indent(agentId: string | undefined): string {
    return "  ".repeat(this.#depths.get(agentId ?? "") ?? 0);
  }
}

/** A command that ran and failed has no errorMessage, but its exit code is what a person wants to see. */
function exitFailure(output: PrintModeEventOf<"tool_result">["output"]): string | undefined {
  for (const part of output) {
    if (part.type !== "json" || typeof part.value !== "object" || part.value === null || Array.isArray(part.value))
      continue;
    const { exitCode, status } = part.value;
    if (typeof exitCode === "number" && exitCode !== 0)
      return status === "timed_out" ? "timed out" : `exit ${exitCode}`;
  }
  return undefined;
}
