import type { HarnessV1StreamPart } from "@ai-sdk/harness";
import type { Body, Item, Part, UniversalEvent } from "@muster/client";
import { type BlockKind, Blocks } from "./blocks.ts";
import { Calls } from "./calls.ts";
import { questionCall } from "./questions.ts";
import { StepUsage } from "./step-usage.ts";

export type RequestEvent = Extract<UniversalEvent, { type: "permission.requested" | "question.requested" }>;
type Finish = Extract<HarnessV1StreamPart, { type: "finish" }>["finishReason"];

/** How a turn came to its end, where that is no `finish`. */
export interface Failed {
  message: string;
}

/**
 * The events of one turn → parts of the framework's stream. Pure, so that a later process tells the events again in
 * silence up to where the first one was. A step ends when every call of it has its result: the framework holds results
 * back until then, and takes what follows an approval for the next step.
 */
export class TurnParts {
  readonly #messageId: string;
  readonly #startPart: HarnessV1StreamPart;
  readonly #blocks = new Blocks();
  readonly #calls = new Calls();
  readonly #usage = new StepUsage();
  readonly #openQuestions = new Set<string>();
  /** Items of sub-agents: what they say is not what the agent says. */
  readonly #nested = new Set<string>();
  #turnId: string | undefined;
  /** Something was told since the last step. */
  #isInStep = false;
  #hasResult = false;
  #isOver = false;
  #failed: Failed | undefined;

  constructor(messageId: string, startPart: HarnessV1StreamPart) {
    this.#messageId = messageId;
    this.#startPart = startPart;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get failed(): Failed | undefined {
    return this.#failed;
  }

  push(event: UniversalEvent): HarnessV1StreamPart[] {
    if (this.#isOver) return [];
    if (this.#turnId === undefined) return this.#open(event);
    if (event.turnId !== this.#turnId) return [];
    const parts = [...this.#before(event), ...this.#tell(event)];
    if (parts.length > 0) this.#isInStep = true;
    return [...parts, ...this.#endStep(), ...(event.type === "turn.ended" ? this.#end(event.data) : [])];
  }

  /** A request that waits for a person. What is open is closed: the framework reads no further. */
  ask(event: RequestEvent): HarnessV1StreamPart[] {
    if (event.turnId !== this.#turnId) return [];
    this.#isInStep = true;
    if (event.type === "question.requested") this.#openQuestions.add(event.data.questionId);
    const before = [...this.#calls.tellWhole(), ...this.#blocks.close()];
    const request = event.type === "question.requested" ? [questionCall(event.data)] : this.#calls.ask(event.data);
    return [...before, ...request];
  }

  /** An event that was told before, by this process or another. */
  take(event: UniversalEvent): void {
    if (isRequest(event)) this.ask(event);
    else this.push(event);
  }

  askAgain(event: RequestEvent): HarnessV1StreamPart[] {
    return event.type === "question.requested"
      ? [questionCall(event.data)]
      : this.#calls.askAgain(event.data.permissionId);
  }

  /** Reading stops here; a block that is open goes on later under a new id. */
  pause(): HarnessV1StreamPart[] {
    return this.#blocks.close();
  }

  #open(event: UniversalEvent): HarnessV1StreamPart[] {
    if (event.type === "message.updated" && event.data.messageId === this.#messageId) {
      const { status } = event.data;
      if (status === "cancelled" || status === "failed") this.#fail(`The message was ${status}`);
    }
    if (event.type !== "turn.started" || !event.data.messageIds.includes(this.#messageId)) return [];
    this.#turnId = event.data.turnId;
    return [this.#startPart];
  }

  /** What another event tells of calls: their inputs are whole, and those that have ended without a result have none. */
  #before(event: UniversalEvent): HarnessV1StreamPart[] {
    if (event.type === "item.delta" && event.data.part === "input") return [];
    const isOfTools = event.type.startsWith("item.") && !(event.type === "item.delta");
    return [...this.#calls.tellWhole(), ...(isOfTools ? [] : this.#settled(this.#calls.settleEnded()))];
  }

  #tell(event: UniversalEvent): HarnessV1StreamPart[] {
    switch (event.type) {
      case "item.started":
        return this.#startItem(event.data.item);
      case "item.delta":
        return this.#grow(event);
      case "item.completed":
        return this.#completeItem(event, event.data.item);
      case "permission.requested":
        // Answered already, by a rule or a mode: one that waits goes to `ask`.
        return [];
      case "question.requested":
        return [];
      case "permission.resolved":
        return this.#settled(this.#calls.resolve(event.data));
      case "question.resolved":
        if (this.#openQuestions.delete(event.data.questionId)) this.#hasResult = true;
        return [raw(event)];
      case "usage.updated":
        this.#usage.update(event.data);
        return [raw(event)];
      case "plan.updated":
      case "error":
      case "agent.unparsed":
      case "log.damaged":
      case "session.updated":
        return [raw(event)];
      case "turn.ended":
        return [...this.#blocks.close(), ...this.#settled(this.#calls.settleAll())];
      case "turn.started":
      case "message.updated":
      case "session.started":
      case "session.ended":
        return [];
    }
    // A type of a newer daemon.
    return [raw(event)];
  }

  #startItem(item: Item): HarnessV1StreamPart[] {
    if (item.parentId !== undefined) this.#nested.add(item.itemId);
    return item.content.flatMap((part) => (part.type === "tool_call" ? this.#calls.start(item, part) : []));
  }

  #grow(event: Extract<UniversalEvent, { type: "item.delta" }>): HarnessV1StreamPart[] {
    const { itemId, part, delta } = event.data;
    if (part === "input") return this.#calls.growInput(itemId, delta);
    // The framework takes a preliminary result for the result.
    if (part === "output" || this.#nested.has(itemId)) return [raw(event)];
    return this.#blocks.grow(event.data, part, delta);
  }

  #completeItem(event: UniversalEvent, item: Item): HarnessV1StreamPart[] {
    if (item.kind === "message" && item.role === "user") return [];
    const isOfCall = item.kind === "tool_call" || item.kind === "tool_result";
    if ((this.#nested.has(item.itemId) && !isOfCall) || item.kind === "status") return [raw(event)];
    const told = item.content.flatMap((part, index) => this.#completePart(item, part, index));
    const isPlain = item.content.every(({ type }) => type !== "image");
    return [...told, ...this.#blocks.close(item.itemId), ...(isPlain ? [] : [raw(event)])];
  }

  #completePart(item: Item, part: Part, index: number): HarnessV1StreamPart[] {
    const at = { itemId: item.itemId, index };
    switch (part.type) {
      case "text":
      case "plan":
      case "reasoning": {
        const kind: BlockKind = part.type === "reasoning" ? "reasoning" : "text";
        return this.#blocks.complete(at, kind, part.text);
      }
      case "tool_call":
        return this.#calls.complete(item, part);
      case "tool_result":
        return this.#settled(this.#calls.result(item, part));
      case "image":
      case "status":
      case "file":
      case "json":
        // Files and JSON are told with their result, the others as raw.
        return [];
    }
    // A part of a newer daemon.
    return [];
  }

  #settled(parts: HarnessV1StreamPart[]): HarnessV1StreamPart[] {
    if (parts.length > 0) this.#hasResult = true;
    return parts;
  }

  #endStep(): HarnessV1StreamPart[] {
    if (!this.#hasResult || this.#calls.isAnyOpen || this.#openQuestions.size > 0) return [];
    return [...this.#blocks.close(), ...this.#finishStep({ unified: "tool-calls", raw: undefined })];
  }

  #finishStep(finishReason: Finish): HarnessV1StreamPart[] {
    this.#isInStep = false;
    this.#hasResult = false;
    return [{ type: "finish-step", finishReason, usage: this.#usage.takeStep() }];
  }

  #end({ status, cause, message, usage, costUsd, turnId }: Body<"turn.ended">["data"]): HarnessV1StreamPart[] {
    this.#isOver = true;
    if (usage !== undefined) this.#usage.update(usage);
    const finishReason = finishOf(status, cause);
    if (finishReason === undefined) {
      this.#fail([cause ?? status, message].filter(Boolean).join(": "));
      return [];
    }
    const harnessMetadata = { muster: { turnId, status, ...(costUsd !== undefined && { costUsd }) } };
    const step = this.#isInStep ? this.#finishStep(finishReason) : [];
    return [...step, { type: "finish", finishReason, totalUsage: this.#usage.total(), harnessMetadata }];
  }

  #fail(message: string): void {
    this.#isOver = true;
    this.#failed = { message };
  }
}

export function isRequest(event: UniversalEvent): event is RequestEvent {
  return event.type === "permission.requested" || event.type === "question.requested";
}

function raw(rawValue: UniversalEvent): HarnessV1StreamPart {
  return { type: "raw", rawValue };
}

/** undefined: it failed. */
function finishOf(
  status: Body<"turn.ended">["data"]["status"],
  cause: Body<"turn.ended">["data"]["cause"],
): Finish | undefined {
  if (status === "completed") return { unified: "stop", raw: undefined };
  if (status === "interrupted") return { unified: "other", raw: cause ?? status };
  if (cause === "output_limit") return { unified: "length", raw: cause };
  if (cause === "refused") return { unified: "content-filter", raw: cause };
  if (cause === "max_steps") return { unified: "other", raw: cause };
  return undefined;
}
