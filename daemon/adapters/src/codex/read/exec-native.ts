import { z } from "zod";

const id = z.string();
const status = z.string();

/** Items of `codex exec --json` (0.166.0). Ids start at `item_0` in every process, except a web search's. */
export const ExecItem = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent_message"), id, text: z.string() }),
  z.object({ type: z.literal("reasoning"), id, text: z.string() }),
  z.object({
    type: z.literal("command_execution"),
    id,
    command: z.string(),
    aggregated_output: z.string(),
    exit_code: z.int().nullish(),
    status,
  }),
  z.object({
    type: z.literal("file_change"),
    id,
    changes: z.array(z.object({ path: z.string(), kind: z.enum(["add", "update", "delete"]) })),
    status,
  }),
  z.object({
    type: z.literal("mcp_tool_call"),
    id,
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    result: z.object({ content: z.array(z.unknown()), structured_content: z.unknown() }).nullish(),
    error: z.object({ message: z.string() }).nullish(),
    status,
  }),
  z.object({ type: z.literal("web_search"), id, query: z.string(), action: z.unknown() }),
  z.object({
    type: z.literal("collab_tool_call"),
    id,
    tool: z.string(),
    receiver_thread_ids: z.array(z.string()).optional(),
    prompt: z.string().nullish(),
    agents_states: z.record(z.string(), z.unknown()).optional(),
    status,
  }),
  z.object({
    type: z.literal("todo_list"),
    id,
    items: z.array(z.object({ text: z.string(), completed: z.boolean() })),
  }),
  z.object({ type: z.literal("error"), id, message: z.string() }),
]);
export type ExecItem = z.infer<typeof ExecItem>;

/** Lines of `codex exec --json`: no deltas, no approvals, no questions. */
export const ExecLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("turn.started") }),
  z.object({
    type: z.literal("turn.completed"),
    usage: z.object({
      input_tokens: z.int().nonnegative(),
      cached_input_tokens: z.int().nonnegative().default(0),
      output_tokens: z.int().nonnegative(),
      /** Not told by versions before it was counted. */
      reasoning_output_tokens: z.int().nonnegative().default(0),
    }),
  }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal("item.started"), item: ExecItem }),
  z.object({ type: z.literal("item.updated"), item: ExecItem }),
  z.object({ type: z.literal("item.completed"), item: ExecItem }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type ExecLine = z.infer<typeof ExecLine>;
