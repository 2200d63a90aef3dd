import { nativeCall } from "../agents/tool-names.ts";
import type { AgentName } from "../request/agent-names.ts";
import type { ModelRequest } from "../request/model-request.ts";
import type { ReplyPlace } from "../script/reply-id.ts";
import type { Pace, Part, ScriptedUsage, StopReason, ToolCall, Turn } from "../script/script.ts";

export type ReplyPart =
  | { readonly kind: "text"; readonly chunks: readonly string[] }
  /** `sections` are the paragraphs of a summary, each in its chunks. */
  | { readonly kind: "reasoning"; readonly sections: readonly (readonly string[])[]; readonly signature: string }
  | {
      readonly kind: "tool";
      /** The script's own id; else each protocol makes one that ends with `idIndex`. */
      readonly id: string | undefined;
      readonly idIndex: number;
      readonly name: string;
      readonly namespace: string | undefined;
      /** JSON, or free text when `custom`; with the fault `invalid_arguments` it is not JSON. */
      readonly arguments: string;
      readonly custom: boolean;
    };

/** What the model says, before any protocol puts it into its own words. */
export interface Reply {
  readonly place: ReplyPlace;
  readonly model: string;
  readonly parts: readonly ReplyPart[];
  readonly stop: StopReason;
  readonly usage: ScriptedUsage;
  readonly delayMs: number;
  /** The stream ends with the provider's error event instead of its end. */
  readonly brokenBy: { readonly message: string; readonly code: string | undefined } | undefined;
}

export interface ReplyContext {
  readonly request: ModelRequest;
  readonly place: ReplyPlace;
  readonly agent: AgentName | undefined;
  readonly pace: Pace | undefined;
}

/** Pure: a scripted turn as a reply to this request, tool names in the words of its agent. */
export function replyTo(turn: Turn, context: ReplyContext): Reply | { problem: string } {
  const pace = {
    chars: turn.pace?.chars ?? context.pace?.chars ?? 16,
    delayMs: turn.pace?.delayMs ?? context.pace?.delayMs ?? 0,
  };
  const parts: ReplyPart[] = [];
  for (const part of partsOf(turn)) {
    if ("text" in part) parts.push({ kind: "text", chunks: chunksOf(part.text, pace.chars) });
    else if ("reasoning" in part) {
      const sections = [part.reasoning].flat().map((section) => cut(section, pace.chars));
      parts.push({ kind: "reasoning", sections, signature: part.signature ?? "c2NyaXB0ZWQ=" });
    } else {
      const before = parts.filter(({ kind }) => kind === "tool").length;
      const tool = toolPart(part.tool, before, turn, context);
      if ("problem" in tool) return tool;
      parts.push(tool);
    }
  }
  const hasTools = parts.some((part) => part.kind === "tool");
  return {
    place: context.place,
    model: context.request.model,
    parts,
    stop: turn.stop ?? (hasTools ? "tool" : "end"),
    usage: turn.usage ?? estimatedUsage(context.request, parts),
    delayMs: pace.delayMs,
    brokenBy:
      turn.fault?.kind === "error_event"
        ? { message: turn.fault.message ?? "The scripted model failed", code: turn.fault.code }
        : undefined,
  };
}

/** About four characters per token, so that an unscripted count is at least steady. */
export function estimatedTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

/** Whole characters only: half a surrogate pair would not survive as UTF-8. */
export function cut(text: string, size: number): string[] {
  const characters = Array.from(text);
  const chunks: string[] = [];
  for (let at = 0; at < characters.length; at += size) chunks.push(characters.slice(at, at + size).join(""));
  return chunks;
}

/** Paragraphs of thought as one text, still in chunks. */
export function joinSections(sections: readonly (readonly string[])[]): string[] {
  return sections.flatMap((chunks, at) => (at === 0 ? [...chunks] : ["\n\n", ...chunks]));
}

function partsOf(turn: Turn): readonly Part[] {
  if (turn.parts !== undefined) return turn.parts;
  return [
    ...(turn.reasoning === undefined ? [] : [{ reasoning: turn.reasoning }]),
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...(turn.tools ?? []).map((tool) => ({ tool })),
  ];
}

function chunksOf(text: string | string[], size: number): string[] {
  return typeof text === "string" ? cut(text, size) : text;
}

function toolPart(call: ToolCall, before: number, turn: Turn, context: ReplyContext): ReplyPart | { problem: string } {
  const native = nativeCall(call, context.agent, context.request.tools);
  if ("problem" in native) return native;
  const input = native.text ?? JSON.stringify(native.input ?? {});
  const isSameId = turn.fault?.kind === "duplicate_tool_ids";
  return {
    kind: "tool",
    id: call.id,
    idIndex: isSameId ? 0 : before,
    name: native.name,
    namespace: native.namespace,
    arguments: turn.fault?.kind === "invalid_arguments" ? (turn.fault.arguments ?? brokenJson(input)) : input,
    custom: native.text !== undefined,
  };
}

function brokenJson(json: string): string {
  return `${json.slice(0, -1)},`;
}

function estimatedUsage(request: ModelRequest, parts: readonly ReplyPart[]): ScriptedUsage {
  const said = parts.map((part) => {
    if (part.kind === "tool") return part.name + part.arguments;
    return part.kind === "text" ? part.chunks.join("") : joinSections(part.sections).join("");
  });
  return { input: estimatedTokens(request.bodyText), output: estimatedTokens(said.join("")) };
}
