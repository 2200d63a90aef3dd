import { z } from "zod";
import { Part } from "./parts.ts";

export const ItemKind = z
  .enum(["message", "reasoning", "tool_call", "tool_result", "plan", "status"])
  .describe("What kind of thing it is");
export type ItemKind = z.infer<typeof ItemKind>;

export const Role = z.enum(["user", "assistant", "system", "tool"]).describe("Who speaks");
export type Role = z.infer<typeof Role>;

export const ItemStatus = z.enum(["in_progress", "completed", "failed", "cancelled"]).describe("How far it is");
export type ItemStatus = z.infer<typeof ItemStatus>;

export const Item = z
  .object({
    itemId: z.string().describe("The item's id, the same from its start to its end"),
    nativeItemId: z.string().optional().describe("The id under which the agent itself knows it"),
    parentId: z.string().optional().describe("The tool call of the sub-agent that it belongs to"),
    kind: ItemKind,
    role: Role.optional(),
    status: ItemStatus,
    phase: z
      .enum(["commentary", "final"])
      .optional()
      .describe("Of a message, where the agent tells: said on the way, or the answer"),
    background: z
      .boolean()
      .optional()
      .describe("May stay open after its turn; it closes when it finishes or with the life"),
    supersededBy: z.string().optional().describe("The item that replaces this one"),
    content: z.array(Part).describe("What it holds, piece by piece"),
  })
  .describe("One thing in a turn: a message, a thought, a tool call, a result");
export type Item = z.infer<typeof Item>;
