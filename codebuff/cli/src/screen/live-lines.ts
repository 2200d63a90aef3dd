import { itemLines } from "../blocks/item-lines.ts";
import type { Chat } from "../chat/chat.ts";
import type { HistorySearch } from "../input/history-search.ts";
import type { EditorView } from "../input/prompt-editor.ts";
import { policyOf } from "../permissions/policy-switch.ts";
import { visibleWidth } from "../pi-tui.ts";
import { isPlan } from "../run-options.ts";
import { formatDollars, formatDuration } from "../text/amounts.ts";
import { oneLine, printable } from "../text/printable.ts";
import type { Theme } from "../text/theme.ts";
import type { Item } from "../transcript/items.ts";
import type { ChatScreen, InputMode } from "./chat-screen.ts";

const silenceMs = 30_000;
const spinner = ["◐", "◓", "◑", "◒"];

/** What the agent is busy with and for how long; never silent for more than half a minute. */
export function statusLine(chat: Chat, width: number): string[] {
  const { theme, prompts } = chat;
  const { run } = prompts;
  if (!prompts.isRunning)
    return prompts.queue.isPaused ? [theme.warning("paused: Enter sends the queue, Ctrl-C drops it")] : [];
  const now = Date.now();
  const seconds = Math.floor((now - (run?.startedAt ?? now)) / 1000);
  if (prompts.isInterrupting) return [theme.warning("interrupting …")];
  const silent = run === undefined ? 0 : now - run.lastAt;
  const busy = chat.dialogs.current === undefined ? busyWith(chat.items) : "waits for you";
  const waiting = retryOf(chat.items, now);
  const what =
    waiting !== undefined
      ? waiting
      : silent >= silenceMs
        ? `no sign of life for ${formatDuration(silent)}, ${busy}`
        : busy;
  const mode = prompts.isAgentMode ? `AGENT · step ${stepsOf(chat.items)} · ` : "";
  const mark = theme.accent(spinner[seconds % spinner.length] ?? "◐");
  const keys = chat.dialogs.current === undefined ? " · esc interrupts" : "";
  return [`${mark} ${theme.dim(oneLine(`${mode}${what} · ${seconds} s${keys}`, width - 2))}`];
}

/** The first screen says which key and model will be used, or how to get one; with the first prompt it is gone. */
export function welcomeLines(chat: Chat, width: number): string[] {
  const { welcome, theme } = chat;
  if (welcome === "" || chat.dialogs.current !== undefined) return [];
  const item: Item = { kind: "remark", tone: "info", text: welcome };
  return [...itemLines(item, chat.context(width)).map(theme.dim), ""];
}

/** How long until the model is asked again; undefined when it is not waited for. */
function retryOf(items: readonly Item[], now: number): string | undefined {
  const last = items.at(-1);
  if (last?.kind !== "remark" || last.untilMs === undefined || last.untilMs <= now) return undefined;
  return `asks the model again in ${Math.ceil((last.untilMs - now) / 1000)} s`;
}

/** Calls the run has made so far, and the one it is about to make. */
function stepsOf(items: readonly Item[]): number {
  const begun = items.findLastIndex(({ kind }) => kind === "run");
  return 1 + items.slice(begun).filter((item) => item.kind === "tool" && item.endedAt !== undefined).length;
}

/** What the agent does right now. */
export function busyWith(items: readonly Item[]): string {
  const open = items.findLast((item) => (item.kind === "tool" || item.kind === "agent") && item.endedAt === undefined);
  if (open?.kind === "agent") return `${open.name} works`;
  if (open?.kind === "tool") return open.toolName === "ask_user" ? "waits for you" : `runs ${open.toolName}`;
  // A remark to the person is not what the agent does.
  const last = items.findLast(({ kind }) => kind !== "remark");
  if (last?.kind === "reasoning" && last.endedAt === undefined) return "thinks";
  return last?.kind === "text" && !last.done ? "writes" : "waits for the model";
}

/** Prompts that wait, each on a line; alt+up takes the last one back. */
export function queueLines({ prompts: { queue, steered }, theme }: Chat, width: number): string[] {
  const joining = steered.map((text) => theme.dim(`  ↳ joins soon: ${oneLine(text, width - 18)}`));
  const waiting = queue.entries.map(({ text }, at) => theme.dim(`  ${at + 1} queued: ${oneLine(text, width - 14)}`));
  const hint = waiting.length === 0 ? [] : [theme.dim(`  alt+up edits ${waiting.length === 1 ? "it" : "one of them"}`)];
  return [...joining, ...cutTo(waiting, 4, theme.dim), ...hint];
}

/** The todos or subgoals while there is something left of them. */
export function planLines({ plan, theme, isRunning }: Chat, width: number): string[] {
  if (!isRunning || plan.steps.length === 0) return [];
  const marks = { open: "☐", active: theme.accent("▸"), done: theme.good("☑"), dropped: theme.dim("☒") };
  const isOpen = ({ state }: { state: string }) => state === "open" || state === "active";
  const done = plan.steps.filter((step) => !isOpen(step)).length;
  const shown = plan.steps.filter(isOpen).map(({ text, state }) => `  ${marks[state]} ${oneLine(text, width - 6)}`);
  return [theme.dim(`plan: ${done} of ${plan.steps.length} done`), ...cutTo(shown, 5, theme.dim)];
}

/** The text the person writes, behind the mark of its mode, and what goes with it. */
export function editorView({ chat, editor, inputMode, search }: ChatScreen, columns: number): EditorView {
  const { theme } = chat;
  if (search !== undefined) return searchView(search, theme);
  const view = editor.render(columns - 2);
  const mark = promptMark(chat, inputMode, editor.text);
  const style = inputMode === "bash" ? theme.warning : theme.user;
  const names = chat.attachments.names.map((name) => theme.dim(`  + ${oneLine(name, columns - 4)}`));
  const lines = view.lines.map((line, at) => `${at === 0 ? style(mark) : " "} ${line}`);
  const cursor = { row: names.length + view.cursor.row, column: view.cursor.column + 2 };
  return { lines: [...names, ...lines], cursor };
}

function searchView({ query, menu }: HistorySearch, theme: Theme): EditorView {
  const lead = "sent before: ";
  const none = menu.entries.length === 0 ? theme.dim("  nothing fits") : "";
  const line = `${theme.accent(lead)}${printable(query)}${none}`;
  return { lines: [line], cursor: { row: 0, column: visibleWidth(lead + query) } };
}

function promptMark({ prompts, settings }: Chat, inputMode: InputMode, text: string): string {
  if (inputMode === "bash") return "!";
  if (prompts.isAgentMode || /^\/agent(\s|$)/.test(text)) return "»";
  return isPlan(settings) ? "◇" : "›";
}

/** Mode, permissions, model, how full the context is, and what the session has cost with everybody in it. */
export function footerLine(chat: Chat, width: number, lead = ""): string {
  const { theme, settings, spentUsd, options, contextShare, model } = chat;
  const budget = options.budgetUsd === undefined ? "" : ` of ${formatDollars(options.budgetUsd)}`;
  const policy = policyOf(settings);
  const mode = chat.prompts.isAgentMode ? "AGENT" : policy === "plan" ? "PLAN" : settings.mode;
  const permissions = policy === "plan" ? "" : policy === "default" ? "asks" : policy;
  const share = contextShare === undefined ? "" : `${Math.round(contextShare * 100)} % context`;
  const price = spentUsd > 0 || budget !== "" ? `${formatDollars(spentUsd)}${budget}` : "";
  const name = model.slice(model.lastIndexOf("/") + 1);
  // In a narrow window what everybody knows gives way first, and the price last.
  const forms = [
    [mode, permissions, model, share, price, "/help"],
    [mode, permissions, name, share, price, "/help"],
    [mode, permissions, name, share, price],
    [mode, permissions, share, price],
    [mode, permissions, price],
    [mode, permissions],
  ].map((parts) => lead + parts.filter((part) => part !== "").join(" · "));
  return theme.dim(oneLine(forms.find((form) => form.length <= width) ?? forms.at(-1) ?? "", width));
}

function cutTo(lines: readonly string[], most: number, dim: (text: string) => string): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), dim(`  … ${lines.length - most} more`)];
}
