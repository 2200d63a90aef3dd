import { type PrintModeEventOf, rootAgentName } from "@muster/codebuff-protocol";
import { printable } from "../text/printable.ts";
import { dollarsOfRun } from "../text/run-cost.ts";
import type { AgentItem, Entry, Item, Tone, ToolItem } from "./items.ts";

type Items = readonly Item[];
type Of<Type extends Entry["type"]> = Extract<Entry, { type: Type }>;

/**
 * The transcript after one more entry. Pure: live runs, resumed sessions, previews and every way of writing them are this
 * fold over the same entries.
 */
export function fold(items: Items, entry: Entry): Items {
  switch (entry.type) {
    case "start":
      return [...items, { kind: "run", startedAt: entry.at, model: entry.model, agentId: entry.agentId }];
    case "text":
      return inAgent(items, entry.agentId, (own) => addText(own, entry));
    case "reasoning_delta":
      return inAgent(items, entry.agentId, (own) => addReasoning(own, entry));
    case "tool_call":
      if (silentTools.has(entry.toolName)) return items;
      return inAgent(leaveWaiting(items, entry.permission?.toolCallId), entry.agentId, (own) => [
        ...closeText(own, entry.at),
        toolItem(entry),
      ]);
    case "tool_progress":
      return changeTool(items, entry.toolCallId, (tool) => ({
        ...tool,
        progress: tool.progress + printable(entry.output),
      }));
    case "tool_result":
      return endTool(items, entry);
    case "subagent_start":
      return inAgent(items, entry.parentAgentId, (own) => [...closeText(own, entry.at), agentItem(entry)]);
    case "subagent_finish":
      return inAgent(items, entry.agentId, (own) => closeAll(own, entry.at), entry.at);
    case "error":
      // A call with wrong arguments has a result that says so.
      if (entry.code === "bad_arguments") return items;
      return entry.code === "withdrawn" ? withdraw(items, entry) : remark(items, entry);
    case "download":
      return addRemark(items, "info", `download ${entry.version}: ${entry.status}`, entry.at);
    case "finish":
      return [...closeAll(items, entry.at), endItem(items, entry)];
    case "user_message": {
      const { text, attachments, steers = false } = entry;
      const user: Item = { kind: "user", text, attachments, steers };
      const last = items.at(-1);
      // In a session file a run begins before its prompt; what is said of the run stands below it all the same.
      if (last?.kind === "run" && !steers) return [...items.slice(0, -1), user, last];
      return [...closeText(items, entry.at), user];
    }
    case "user_command": {
      const { id, command, at: startedAt } = entry;
      return [...closeText(items, entry.at), { kind: "command", id, command, output: "", startedAt }];
    }
    case "user_command_output":
      return changeCommand(items, entry.id, (one) => ({
        ...one,
        output: lastOf(one.output + printable(entry.output)),
      }));
    case "user_command_end":
      return changeCommand(items, entry.id, (one) => ({ ...one, exitCode: entry.exitCode, endedAt: entry.at }));
    case "remark":
      return [...items, { kind: "remark", tone: entry.tone, text: printable(entry.text) }];
  }
}

/** How an agent hands over what it has said, or tells itself something; a person has read that already. */
const silentTools: ReadonlySet<string> = new Set(["set_output", "end_turn", "task_completed", "add_message"]);

export function foldAll(entries: Iterable<Entry>): Items {
  let items: Items = [];
  for (const entry of entries) items = fold(items, entry);
  return items;
}

/** Changes the list of the agent that speaks: the transcript itself for the root, the children of its item for another. */
function inAgent(items: Items, agentId: string | undefined, change: (own: Items) => Items, endedAt?: number): Items {
  if (agentId === undefined || agentId === rootAgentName) return change(items);
  const path = pathTo(items, agentId);
  // Words of an agent nobody announced are shown with the rest rather than lost.
  if (path === undefined) return endedAt === undefined ? change(items) : items;
  return changeAt(items, path, (agent) => ({
    ...agent,
    children: change(agent.children),
    ...(endedAt === undefined ? {} : { endedAt }),
  }));
}

/** Places of the agents from the outermost to the one that is looked for; the newest is found first. */
function pathTo(items: Items, agentId: string): number[] | undefined {
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at];
    if (item?.kind !== "agent") continue;
    if (item.agentId === agentId) return [at];
    const inner = pathTo(item.children, agentId);
    if (inner !== undefined) return [at, ...inner];
  }
  return undefined;
}

function changeAt(items: Items, [at = 0, ...rest]: number[], change: (agent: AgentItem) => AgentItem): Items {
  const agent = items[at];
  if (agent?.kind !== "agent") return items;
  if (rest.length === 0) return items.with(at, change(agent));
  return items.with(at, { ...agent, children: changeAt(agent.children, rest, change) });
}

/** What a model or a tool says never moves the cursor of the person's terminal. */
function addText(items: Items, event: Of<"text">): Items {
  const text = printable(event.text);
  const { at } = event;
  const place = lastSaid(items);
  const last = items[place];
  if (last?.kind === "text" && !last.done) return items.with(place, { ...last, text: last.text + text });
  // Blank lines between two blocks are not a block.
  if (text.trim() === "") return items;
  return [...closeText(items, at), { kind: "text", text: text.trimStart(), done: false }];
}

function addReasoning(items: Items, event: Of<"reasoning_delta">): Items {
  const text = printable(event.text);
  const { at } = event;
  const place = lastSaid(items);
  const last = items[place];
  if (last?.kind === "reasoning" && last.endedAt === undefined) {
    return items.with(place, { ...last, text: last.text + text });
  }
  return [...closeText(items, at), { kind: "reasoning", text, startedAt: at }];
}

/** Whatever comes next ends the text or the thought before it. */
function closeText(items: Items, at: number): Items {
  const place = lastSaid(items);
  const last = items[place];
  if (last?.kind === "text" && !last.done) return items.with(place, { ...last, done: true });
  if (last?.kind === "reasoning" && last.endedAt === undefined) return items.with(place, { ...last, endedAt: at });
  return items;
}

/** Where the agent speaks: what the command itself remarks meanwhile does not cut its sentence in two. */
function lastSaid(items: Items): number {
  return items.findLastIndex(({ kind }) => kind !== "remark");
}

function closeAll(items: Items, at: number): Items {
  if (items.every((item) => !isOpen(item))) return items;
  return items.map((item) => {
    if (!isOpen(item)) return item;
    if (item.kind === "text") return { ...item, done: true };
    if (item.kind === "agent") return { ...item, children: closeAll(item.children, at), endedAt: at };
    return { ...item, endedAt: at };
  });
}

/** A run that ends does not end what the person runs beside it. */
function isOpen(item: Item): item is Extract<Item, { kind: "text" | "reasoning" | "tool" | "agent" }> {
  if (item.kind === "text") return !item.done;
  return (item.kind === "reasoning" || item.kind === "tool" || item.kind === "agent") && item.endedAt === undefined;
}

function toolItem({ toolCallId, toolName, input, permission, at }: Of<"tool_call">): ToolItem {
  return { kind: "tool", toolCallId, toolName, input, permission, progress: "", startedAt: at };
}

/** A call waits for the answer to its permission. */
function leaveWaiting(items: Items, toolCallId: string | undefined): Items {
  return toolCallId === undefined ? items : changeTool(items, toolCallId, (tool) => ({ ...tool, waits: true }));
}

/** What an answered permission was for begins now. */
function endTool(items: Items, { toolCallId, output, durationMs, at }: Of<"tool_result">): Items {
  let answered: string | undefined;
  const ended = changeTool(items, toolCallId, (tool) => {
    answered = tool.permission?.toolCallId;
    return { ...tool, result: output, endedAt: at, ...(durationMs === undefined ? {} : { durationMs }) };
  });
  if (answered === undefined) return ended;
  return changeTool(ended, answered, (tool) =>
    tool.endedAt === undefined ? { ...tool, waits: false, startedAt: at } : tool,
  );
}

function agentItem({ agentId, displayName, prompt = "", at }: Of<"subagent_start">): AgentItem {
  return { kind: "agent", agentId, name: displayName, prompt, children: [], startedAt: at };
}

function changeTool(items: Items, toolCallId: string, change: (tool: ToolItem) => ToolItem): Items {
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at];
    if (item?.kind === "tool" && item.toolCallId === toolCallId) return items.with(at, change(item));
    if (item?.kind !== "agent") continue;
    const children = changeTool(item.children, toolCallId, change);
    if (children !== item.children) return items.with(at, { ...item, children });
  }
  return items;
}

/** More than anybody scrolls back; `yes` must not fill the memory. */
const mostOutput = 200_000;

function lastOf(output: string): string {
  return output.length <= mostOutput ? output : output.slice(output.indexOf("\n", output.length - mostOutput) + 1);
}

type Command = Extract<Item, { kind: "command" }>;

function changeCommand(items: Items, id: string, change: (command: Command) => Command): Items {
  const at = items.findLastIndex((item) => item.kind === "command" && item.id === id);
  const found = items[at];
  return found?.kind === "command" ? items.with(at, change(found)) : items;
}

function remark(items: Items, { message, fatal, at, untilMs }: Of<"error">): Items {
  const told = addRemark(items, fatal === false ? "warning" : "error", message, at);
  const last = told.at(-1);
  return last?.kind === "remark" && typeof untilMs === "number" ? told.with(-1, { ...last, untilMs }) : told;
}

function addRemark(items: Items, tone: Tone, text: string, at: number): Items {
  return [...closeText(items, at), { kind: "remark", tone, text: printable(text) }];
}

/** The last `characters` of an agent's text and these calls do not count: they stay, and a line says so. */
function withdraw(items: Items, { agentId, characters = 0, toolCallIds = [], message, at }: Of<"error">): Items {
  const marked = inAgent(items, agentId, (own) => {
    let left = characters;
    return own
      .toReversed()
      .map((item): Item => {
        if (item.kind === "text" && left > 0) {
          left -= item.text.length;
          return { ...item, done: true, withdrawn: true };
        }
        if (item.kind === "tool" && toolCallIds.includes(item.toolCallId)) return { ...item, withdrawn: true };
        return item;
      })
      .toReversed();
  });
  return addRemark(marked, "warning", `${message} (what was said above does not count)`, at);
}

function endItem(items: Items, event: PrintModeEventOf<"finish"> & { at: number }): Item {
  const { status = "completed", costUnknown, costEstimated: isEstimated, at } = event;
  const run = items.findLast((item) => item.kind === "run");
  const usd = costUnknown === true ? undefined : dollarsOfRun(event);
  const begun = run?.startedAt ?? at;
  return { kind: "end", status, durationMs: at - begun - waitedFor(items, begun), usd, isEstimated };
}

/** How long questions stood open since then, side by side or not: the person's time, not the run's. */
function waitedFor(items: Items, since: number): number {
  let until = since;
  let waited = 0;
  for (const { startedAt, endedAt = startedAt } of questionsOf(items).toSorted((a, b) => a.startedAt - b.startedAt)) {
    waited += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return waited;
}

function questionsOf(items: Items): ToolItem[] {
  return items.flatMap((item) => {
    if (item.kind === "agent") return questionsOf(item.children);
    return item.kind === "tool" && item.toolName === "ask_user" ? [item] : [];
  });
}
