import { z } from "zod";
import { Part } from "./parts.ts";

export const ItemKind = z.enum(["message", "reasoning", "tool_call", "tool_result", "plan", "status"]);
export type ItemKind = z.infer<typeof ItemKind>;

export const Role = z.enum(["user", "assistant", "system", "tool"]);
export type Role = z.infer<typeof Role>;

export const ItemStatus = z.enum(["in_progress", "completed", "failed", "cancelled"]);
export type ItemStatus = z.infer<typeof ItemStatus>;

/** One thing in a turn. `parentId` nests the items of a sub-agent under its tool call. */
export const Item = z.object({
  itemId: z.string(),
  nativeItemId: z.string().optional(),
  parentId: z.string().optional(),
  kind: ItemKind,
  role: Role.optional(),
  status: ItemStatus,
  /** Of a message, where the agent tells: said on the way, or the answer. */
  phase: z.enum(["commentary", "final"]).optional(),
  /** May stay open after its turn; it closes when it finishes or with the life. */
  background: z.boolean().optional(),
  supersededBy: z.string().optional(),
  content: z.array(Part),
});
export type Item = z.infer<typeof Item>;
