import type { Body, EventBody, Item, Part } from "@muster/schema";
import {
  type EventException,
  isOneOf,
  nesting,
  usuallyLeftOut,
  whenCompleted,
} from "../../converter/event-exception.ts";
import { LineWriter, type Transcript } from "../../converter/line-writer.ts";
import { codeOf } from "../read/failures.ts";
import type { SaidLine } from "../wire/native.ts";
import { finishLine } from "./to-native.ts";

/** What of a session has no place in Codebuff's lines. */
const leftOut: readonly EventException[] = [
  ...usuallyLeftOut,
  nesting,
  {
    what: "usage.updated, session.updated",
    why: "Codebuff tells usage with the end of a run, and nothing of a session between runs",
    holds: isOneOf("usage.updated", "session.updated"),
  },
  {
    what: "plan.updated",
    why: "a list is a call of a tool of Codebuff's, and the call of the other agent is told already",
    holds: isOneOf("plan.updated"),
  },
  {
    what: "the pieces of items",
    why: "pieces of several items may come in turns, which Codebuff cannot say: each is told when it is complete",
    holds: isOneOf("item.delta"),
  },
  {
    what: "that a plan is a plan, that a text was cut off, and the text of a status",
    why: "all that is said is text; a status has no line",
    holds: whenCompleted(({ kind, status }) => kind === "plan" || kind === "status" || status !== "completed"),
    partly: true,
  },
  {
    what: "words of the person",
    why: "Codebuff is given them and does not tell them",
    holds: whenCompleted(({ role }) => role === "user"),
  },
  {
    what: "that a turn is uncertain",
    why: "to Codebuff a run is completed, cancelled or failed",
    holds: (body) => body.type === "turn.ended" && body.data.status === "uncertain",
    partly: true,
  },
];

export function codebuffWriter(): LineWriter<SaidLine> {
  return new LineWriter(new CodebuffTranscript(), leftOut);
}

/** Any session as `codebuff --stream-json` would have told it. */
class CodebuffTranscript implements Transcript<SaidLine> {
  /** Calls that have been told and have no result: callId → name. */
  readonly #calls = new Map<string, string>();
  #runs = 0;

  lines(body: EventBody): readonly SaidLine[] {
    switch (body.type) {
      case "turn.started":
        this.#runs++;
        return [{ type: "start", messageHistoryLength: 0 }];
      case "turn.ended":
        return this.#end(body.data);
      case "item.completed":
        return this.#complete(body.data.item);
      case "error": {
        const { code: cause, message, retryable } = body.data;
        return [{ type: "error", message, code: codeOf({ cause, retryable }) ?? cause }];
      }
      case "session.started":
      case "session.updated":
      case "session.ended":
      case "message.updated":
      case "item.started":
      case "item.delta":
      case "question.requested":
      case "question.resolved":
      case "permission.requested":
      case "permission.resolved":
      case "plan.updated":
      case "usage.updated":
      case "agent.unparsed":
      case "log.damaged":
        return [];
    }
  }

  #complete({ kind, content }: Item): SaidLine[] {
    if (kind === "status") return [];
    return content.flatMap((part) => this.#part(part));
  }

  /** A line of the other kind with nothing in it ends what was said before: two texts in a row stay two. */
  #part(part: Part): SaidLine[] {
    const thought = { type: "reasoning_delta", runId: `run_${this.#runs}`, ancestorRunIds: [] };
    switch (part.type) {
      case "text":
      case "plan":
        return [
          { ...thought, text: "" },
          { type: "text", text: part.text },
        ];
      case "reasoning":
        return [
          { type: "text", text: "" },
          { ...thought, text: part.text },
        ];
      case "tool_call": {
        this.#calls.set(part.callId, part.name);
        return [{ type: "tool_call", toolCallId: part.callId, toolName: part.name, input: part.input ?? {} }];
      }
      case "tool_result": {
        const { callId, output, isError } = part;
        const toolName = this.#calls.get(callId) ?? "";
        this.#calls.delete(callId);
        const value = isError ? { errorMessage: output } : output;
        return [{ type: "tool_result", toolCallId: callId, toolName, output: [{ type: "json", value }] }];
      }
      case "status":
      case "file":
      case "image":
      case "json":
        return [];
    }
  }

  #end(data: Body<"turn.ended">["data"]): SaidLine[] {
    this.#calls.clear();
    const { status, cause, message } = data;
    const isTold = status !== "failed" || cause === undefined || message === undefined;
    const error = {
      type: "error",
      message: message ?? "",
      code: codeOf({ cause: cause ?? "agent_error", retryable: false }),
    };
    return isTold ? [finishLine(data)] : [error, finishLine(data)];
  }
}
