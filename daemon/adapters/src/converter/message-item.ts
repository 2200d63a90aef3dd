import type { Item, ItemStatus, Part } from "@muster/schema";
import type { NewItem } from "./steps.ts";

/** A text or a thought of a message in Anthropic's form. */
export function messageItem(fields: {
  what: "text" | "thinking";
  text: string;
  status: ItemStatus;
  nativeItemId?: string | undefined;
  parentId?: string | undefined;
  background?: boolean | undefined;
  role?: Item["role"];
}): NewItem {
  const { what, text, status, nativeItemId, parentId, background, role = "assistant" } = fields;
  const part: Part = what === "text" ? { type: "text", text } : { type: "reasoning", text, visibility: "public" };
  const kind = what === "text" ? "message" : "reasoning";
  const content = status === "in_progress" ? [] : [part];
  return { nativeItemId, parentId, background, kind, role, status, content };
}
