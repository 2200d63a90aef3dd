import type { Body, EventBody, Item, Part } from "@muster/schema";
import {
  type EventException,
  isOneOf,
  nesting,
  usuallyLeftOut,
  whenCompleted,
} from "../../converter/event-exception.ts";
import { LineWriter, type Transcript } from "../../converter/line-writer.ts";
import type { SaidLine } from "../wire/native.ts";
import { assistantLine, endLine, failureLine } from "./to-native.ts";

/** What of a session has no place in Amp's lines. */
const leftOut: readonly EventException[] = [
  ...usuallyLeftOut,
  nesting,
  {
    what: "session.updated, plan.updated, usage.updated, error",
    why: "Amp tells a failure at the end of its turn; its todo list is the input of a tool, and usage is told with a message",
    holds: isOneOf("session.updated", "plan.updated", "usage.updated", "error"),
  },
  {
    what: "item.delta",
    why: "Amp tells texts, inputs and outputs as a whole",
    holds: isOneOf("item.delta"),
  },
  {
    what: "status items",
    why: "Amp has no line for a remark",
    holds: whenCompleted(({ kind }) => kind === "status"),
  },
  {
    what: "that a plan is a plan, and that a text was cut off",
    why: "both are told as text",
    holds: whenCompleted(({ kind, status }) => kind === "plan" || (kind === "message" && status !== "completed")),
    partly: true,
  },
  {
    what: "that a turn is uncertain",
    why: "to Amp a turn ends well, is stopped or fails",
    holds: (body) => body.type === "turn.ended" && body.data.status === "uncertain",
    partly: true,
  },
];

export function ampWriter(): LineWriter<SaidLine> {
  return new LineWriter(new AmpTranscript(), leftOut);
}

/** Any session as Amp would have told it with `--stream-json-thinking`. */
class AmpTranscript implements Transcript<SaidLine> {
  /** item → the call it was, for what its sub-agent says later. */
  readonly #agents = new Map<string, string>();
  /** Calls of a shell without their result. */
  readonly #commands = new Set<string>();

  lines(body: EventBody): readonly SaidLine[] {
    switch (body.type) {
      case "item.completed":
        return this.#complete(body.data.item);
      case "turn.ended":
        this.#commands.clear();
        return [lastLine(body.data)];
      default:
        return [];
    }
  }

  #complete(item: Item): SaidLine[] {
    const { kind, role, content } = item;
    const parent = item.parentId === undefined ? undefined : this.#agents.get(item.parentId);
    const [part] = content;
    if (part?.type === "tool_call") {
      if (part.toolKind === "agent") this.#agents.set(item.itemId, part.callId);
      if (part.name === "Bash") this.#commands.add(part.callId);
    }
    if (kind === "tool_result")
      return userLines(
        content.flatMap((one) => this.#resultOf(one)),
        parent,
      );
    if (role === "user") return userLines(content.flatMap(textBlock), parent);
    const blocks = content.flatMap(blocksOf);
    return blocks.length === 0 ? [] : [assistantLine(blocks, { parent })];
  }

  #resultOf(part: Part): object[] {
    if (part.type !== "tool_result") return [];
    const { callId: tool_use_id, output, exitCode, isError: is_error } = part;
    const content = this.#commands.delete(tool_use_id) ? JSON.stringify({ output, exitCode }) : output;
    return [{ type: "tool_result", tool_use_id, content, is_error }];
  }
}

function lastLine({ status, message, cause }: Body<"turn.ended">["data"]): SaidLine {
  const hasFailed = status === "failed" || status === "uncertain";
  return hasFailed ? failureLine(message ?? cause ?? "The turn failed") : endLine(status === "interrupted");
}

function userLines(content: readonly object[], parent: string | undefined): SaidLine[] {
  if (content.length === 0) return [];
  return [{ type: "user", message: { role: "user", content }, parent_tool_use_id: parent ?? null }];
}

function blocksOf(part: Part): object[] {
  switch (part.type) {
    case "tool_call":
      return [{ type: "tool_use", id: part.callId, name: part.name, input: part.input }];
    case "reasoning":
      return [{ type: "thinking", thinking: part.text }];
    case "text":
    case "plan":
      return textBlock(part);
    case "json":
      return [{ type: "text", text: JSON.stringify(part.json) }];
    case "status":
    case "tool_result":
    case "file":
    case "image":
      return [];
  }
}

function textBlock(part: Part): object[] {
  return part.type === "text" || part.type === "plan" ? [{ type: "text", text: part.text }] : [];
}
