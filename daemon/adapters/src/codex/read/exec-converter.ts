import type { Converter, Input, Resume, Step } from "../../converter/converter.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { Signal } from "../../signals.ts";
import type { Tokens } from "../wire/native.ts";
import { type CodexState, initialState } from "../wire/state.ts";
import type { ThreadItem } from "../wire/thread-item.ts";
import { type ExecItem, ExecLine } from "./exec-native.ts";
import { onNotification } from "./on-notification.ts";

/** exec has one thread, and names neither it nor the turn on its lines. */
const threadId = "exec";
const turn = { id: "exec", status: "inProgress", error: null };

type ExecStep = Step<CodexState, ExecLine>;

/**
 * `codex exec --json`, for where there is no app-server: each line is what app-server would have said, in fewer words.
 * The prompt is an argument of the process, so no command makes a line, and what a person would be asked is refused by
 * Codex itself without an event (0.166.0).
 */
export const codexExecConverter: Converter<CodexState, ExecLine> = {
  initial: (resume) => ({ ...initialState({ permissionMode: "bypass" }, resume), threadId, totals: totalsOf(resume) }),
  step(state: CodexState, input: Input<ExecLine>): ExecStep {
    if ("native" in input) return stepLine(state, input.native);
    if (!("command" in input) || input.command.type !== "message") return { state, bodies: [], replies: [] };
    return { state: { ...state, turn: { messageIds: [input.command.messageId] } }, bodies: [], replies: [] };
  },
};

function stepLine(state: CodexState, native: unknown): ExecStep {
  const read = ExecLine.safeParse(native);
  if (!read.success) {
    const [issue] = read.error.issues;
    const text = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
    return { state, bodies: [unparsed(native, text, "codex exec")], replies: [] };
  }
  const line = read.data;
  if (line.type === "thread.started") {
    const facts = { ready: true, nativeSessionId: line.thread_id };
    const data = { nativeSessionId: line.thread_id };
    return { state: { ...state, facts }, bodies: [{ type: "session.updated", data }], replies: [] };
  }
  let current = state;
  const bodies: Signal[] = [];
  for (const notification of asNotifications(state, line)) {
    const step = onNotification(current, notification);
    current = step.state;
    bodies.push(...step.bodies.map(withoutContext));
  }
  return { state: current, bodies, replies: [] };
}

function asNotifications(state: CodexState, line: Exclude<ExecLine, { type: "thread.started" }>) {
  const note = (method: string, params: object) => ({ method, params: { threadId, ...params } });
  switch (line.type) {
    case "turn.started":
      return [note("turn/started", { turn })];
    case "turn.completed": {
      const total = tokensOf(line.usage);
      const usage = { total, last: spentSince(state.totals.get(threadId), total), modelContextWindow: null };
      return [
        note("thread/tokenUsage/updated", { tokenUsage: usage }),
        note("turn/completed", { turn: { ...turn, status: "completed" } }),
      ];
    }
    case "turn.failed":
      return [note("turn/completed", { turn: { ...turn, status: "failed", error: line.error } })];
    case "error": {
      const willRetry = line.message.startsWith("Reconnecting...");
      return [note("error", { error: { message: line.message }, willRetry })];
    }
    case "item.started":
    case "item.updated":
    case "item.completed":
      return itemNotifications(line.type, line.item, note);
  }
}

type Note = (method: string, params: object) => { method: string; params: object };

function itemNotifications(type: "item.started" | "item.updated" | "item.completed", item: ExecItem, note: Note) {
  if (item.type === "error") return [note("warning", { message: item.message })];
  if (item.type === "todo_list") {
    // Its completion repeats the last update when the turn ends.
    if (type === "item.completed") return [];
    const plan = item.items.map(({ text, completed }) => ({ step: text, status: completed ? "completed" : "pending" }));
    return [note("turn/plan/updated", { plan })];
  }
  if (type === "item.updated") return [];
  return [note(type.replace(".", "/"), { item: threadItemOf(item) })];
}

function threadItemOf(item: Exclude<ExecItem, { type: "error" | "todo_list" }>): ThreadItem {
  switch (item.type) {
    case "agent_message":
      return { type: "agentMessage", id: item.id, text: item.text };
    case "reasoning":
      return { type: "reasoning", id: item.id, summary: [item.text], content: [] };
    case "command_execution": {
      const { id, command, aggregated_output: aggregatedOutput, exit_code: exitCode, status } = item;
      return { type: "commandExecution", id, command, cwd: "", aggregatedOutput, exitCode, status };
    }
    case "file_change": {
      const changes = item.changes.map(({ path, kind }) => ({ path, kind: { type: kind }, diff: "" }));
      return { type: "fileChange", id: item.id, changes, status: item.status };
    }
    case "mcp_tool_call": {
      const { id, server, tool, arguments: args, result, error, status } = item;
      const told = result && { content: result.content, structuredContent: result.structured_content };
      return { type: "mcpToolCall", id, server, tool, arguments: args, result: told, error, status };
    }
    case "web_search":
      return { type: "webSearch", id: item.id, query: item.query, action: item.action };
    case "collab_tool_call": {
      const {
        id,
        tool,
        receiver_thread_ids: receiverThreadIds = [],
        prompt,
        agents_states: states = {},
        status,
      } = item;
      return { type: "collabAgentToolCall", id, tool, receiverThreadIds, prompt, agentsStates: states, status };
    }
  }
}

function tokensOf(usage: Extract<ExecLine, { type: "turn.completed" }>["usage"]): Tokens {
  return {
    totalTokens: usage.input_tokens + usage.output_tokens,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  };
}

/** exec tells the totals of the thread, also those of earlier processes. */
function spentSince(before: Tokens | undefined, total: Tokens): Tokens {
  if (before === undefined) return total;
  return {
    totalTokens: total.totalTokens - before.totalTokens,
    inputTokens: total.inputTokens - before.inputTokens,
    cachedInputTokens: total.cachedInputTokens - before.cachedInputTokens,
    outputTokens: total.outputTokens - before.outputTokens,
    reasoningOutputTokens: total.reasoningOutputTokens - before.reasoningOutputTokens,
  };
}

function totalsOf(resume: Resume | undefined): ReadonlyMap<string, Tokens> {
  if (resume === undefined) return new Map();
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = resume.totals.usage;
  const totals = { inputTokens, outputTokens, cachedInputTokens, reasoningOutputTokens: reasoningTokens };
  return new Map([[threadId, { totalTokens: inputTokens + outputTokens, ...totals }]]);
}

/** exec does not say how full the context is; the sum of a turn's requests would pretend to. */
function withoutContext(signal: Signal): Signal {
  if (signal.type !== "usage.updated") return signal;
  const { contextTokens: _, ...data } = signal.data;
  return { type: "usage.updated", data };
}
