import { type ReplyPlace, replyId } from "../script/reply-id.ts";
import { cut, type ReplyPart } from "./reply.ts";
import { argumentChunk } from "./wire.ts";

export interface ItemContext {
  readonly place: ReplyPlace;
  readonly hasEncryptedReasoning: boolean;
}

export interface ItemEvent {
  readonly type: string;
  readonly fields: object;
  readonly isPaced: boolean;
}

type ToolPart = ReplyPart & { kind: "tool" };

/** One part of a reply as a finished output item of the Responses API. */
export function outputItem(part: ReplyPart, index: number, context: ItemContext) {
  const id = replyId(prefixOf(part), context.place, index);
  switch (part.kind) {
    case "text":
      return { id, type: "message", status: "completed", role: "assistant", content: [textPart(part.chunks.join(""))] };
    case "reasoning": {
      const summary = part.sections.map((chunks) => ({ type: "summary_text", text: chunks.join("") }));
      return {
        id,
        type: "reasoning",
        summary,
        encrypted_content: context.hasEncryptedReasoning ? part.signature : undefined,
      };
    }
    case "tool":
      return { ...callHead(part, id, context), ...callBody(part, part.arguments), status: "completed" };
  }
}

/** The events that build that item, from its first sign to `output_item.done`. */
export function itemEvents(part: ReplyPart, index: number, context: ItemContext): ItemEvent[] {
  const item_id = replyId(prefixOf(part), context.place, index);
  const done = outputItem(part, index, context);
  const at = { item_id, output_index: index };
  const open = (item: object) => event("response.output_item.added", { output_index: index, item });
  const close = event("response.output_item.done", { output_index: index, item: done });
  switch (part.kind) {
    case "text":
      return [open({ ...done, status: "in_progress", content: [] }), ...textEvents(part.chunks, at), close];
    case "reasoning":
      return [open({ ...done, summary: [] }), ...summaryEvents(part.sections, at), close];
    case "tool":
      return [
        open({ ...callHead(part, item_id, context), ...callBody(part, ""), status: "in_progress" }),
        ...callEvents(part, at),
        close,
      ];
  }
}

function textEvents(chunks: readonly string[], at: object): ItemEvent[] {
  const place = { ...at, content_index: 0 };
  const text = chunks.join("");
  return [
    event("response.content_part.added", { ...place, part: textPart("") }),
    ...chunks.map((delta) => pacedEvent("response.output_text.delta", { ...place, delta, logprobs: [] })),
    event("response.output_text.done", { ...place, text, logprobs: [] }),
    event("response.content_part.done", { ...place, part: textPart(text) }),
  ];
}

function summaryEvents(sections: readonly (readonly string[])[], at: object): ItemEvent[] {
  return sections.flatMap((chunks, summary_index) => {
    const place = { ...at, summary_index };
    const text = chunks.join("");
    return [
      event("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } }),
      ...chunks.map((delta) => pacedEvent("response.reasoning_summary_text.delta", { ...place, delta })),
      event("response.reasoning_summary_text.done", { ...place, text }),
      event("response.reasoning_summary_part.done", { ...place, part: { type: "summary_text", text } }),
    ];
  });
}

function callEvents(part: ToolPart, at: object): ItemEvent[] {
  const kind = part.custom ? "custom_tool_call_input" : "function_call_arguments";
  return [
    ...cut(part.arguments, argumentChunk).map((delta) => pacedEvent(`response.${kind}.delta`, { ...at, delta })),
    event(`response.${kind}.done`, { ...at, ...callBody(part, part.arguments) }),
  ];
}

function callHead(part: ToolPart, id: string, context: ItemContext) {
  return {
    id,
    type: part.custom ? "custom_tool_call" : "function_call",
    call_id: part.id ?? replyId("call", context.place, part.idIndex),
    name: part.name,
    namespace: part.namespace,
  };
}

function callBody(part: ToolPart, text: string) {
  return part.custom ? { input: text } : { arguments: text };
}

function textPart(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function prefixOf(part: ReplyPart): string {
  switch (part.kind) {
    case "text":
      return "msg";
    case "reasoning":
      return "rs";
    case "tool":
      return part.custom ? "ctc" : "fc";
  }
}

function event(type: string, fields: object): ItemEvent {
  return { type, fields, isPaced: false };
}

function pacedEvent(type: string, fields: object): ItemEvent {
  return { type, fields, isPaced: true };
}
