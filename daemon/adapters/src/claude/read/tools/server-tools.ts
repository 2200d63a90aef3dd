import { z } from "zod";
import { ToolResultBlock } from "../native.ts";

const ServerCall = z.object({
  type: z.enum(["server_tool_use", "mcp_tool_use"]),
  id: z.string(),
  name: z.string(),
  server_name: z.string().optional(),
  input: z.unknown(),
});

/** A call that the provider makes itself: a search, a tool of an MCP server that it reaches. */
export function serverCallOf(block: unknown): { callId: string; name: string; input: unknown } | undefined {
  const { success, data } = ServerCall.safeParse(block);
  if (!success) return undefined;
  const { id: callId, name, server_name: server, input } = data;
  return { callId, name: server === undefined ? name : `mcp__${server}__${name}`, input };
}

const ServerResult = z.object({
  type: z.string().regex(/._tool_result$/),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish(),
  content: z.unknown(),
});
const Failed = z.object({ type: z.string().regex(/_error$/), error_code: z.string().nullish() });

/** What came of it, in the form of a result of Claude's own tools. */
export function serverResultOf(block: unknown): ToolResultBlock | undefined {
  const { success, data } = ServerResult.safeParse(block);
  if (!success) return undefined;
  const { tool_use_id, is_error, content } = data;
  const result = ToolResultBlock.safeParse({ type: "tool_result", tool_use_id, is_error, content });
  const isPlain = result.success && Array.isArray(content) && content.every((each) => each?.type === "text");
  if (result.success && isPlain) return result.data;
  const failed = Failed.safeParse(content);
  const text = failed.data?.error_code ?? JSON.stringify(content);
  return { type: "tool_result", tool_use_id, is_error: is_error === true || failed.success, content: text };
}
