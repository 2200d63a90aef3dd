import type { Body, Item, Part } from "@muster/schema";
import { textOf } from "../../converter/left-out.ts";
import type { Transcript } from "../../converter/line-writer.ts";
import { cancelled } from "../read/on-result.ts";
import type { SaidLine } from "../wire/native.ts";

/** Any session as Amp would have told it with `--stream-json-thinking`. */
export class AmpTranscript implements Transcript<SaidLine> {
  /** item → the call it was, for what its sub-agent says later. */
  readonly #agents = new Map<string, string>();
  /** Calls of a shell without their result. */
  readonly #commands = new Set<string>();

  readonly says: Transcript<SaidLine>["says"] = {
    "item.completed": ({ item }) => this.#complete(item),
    "turn.ended": (data) => {
      this.#commands.clear();
      return [lastLine(data)];
    },
  };

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
    if (role === "user") return userLines([{ type: "text", text: textOf(content) }], parent);
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
  if (status === "completed") return assistantLine([], { stop_reason: "end_turn" });
  const error = status === "interrupted" ? cancelled : (message ?? cause ?? "The turn failed");
  return { type: "result", subtype: "error_during_execution", is_error: true, error };
}

function assistantLine(
  content: readonly object[],
  more: { stop_reason?: string; parent?: string | undefined },
): SaidLine {
  const { stop_reason = null, parent = null } = more;
  const message = { type: "message", role: "assistant", content, stop_reason };
  return { type: "assistant", message, parent_tool_use_id: parent };
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
    case "json":
      return [{ type: "text", text: textOf([part]) }];
    case "status":
    case "tool_result":
    case "file":
    case "image":
      return [];
  }
}
