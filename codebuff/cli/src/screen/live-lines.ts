import type { Chat } from "../chat/chat.ts";
import { formatDollars, formatDuration } from "../text/amounts.ts";
import { oneLine } from "../text/printable.ts";
import type { Item } from "../transcript/items.ts";

const silenceMs = 30_000;
const spinner = ["◐", "◓", "◑", "◒"];

/** What the agent is busy with and for how long; never silent for more than half a minute. */
export function statusLine(chat: Chat, width: number): string[] {
  const { theme, run } = chat;
  if (!chat.isRunning)
    return chat.queue.isPaused ? [theme.warning("paused: Enter sends the queue, Ctrl-C drops it")] : [];
  const now = Date.now();
  const seconds = Math.floor((now - (run?.startedAt ?? now)) / 1000);
  if (run?.stopper.reason !== undefined) return [theme.warning("interrupting …")];
  const silent = run === undefined ? 0 : now - run.lastAt();
  const busy = busyWith(chat.items);
  const what = silent >= silenceMs ? `no sign of life for ${formatDuration(silent)}, ${busy}` : busy;
  const mode = chat.isAgentMode ? `AGENT · step ${chat.steps} · ` : "";
  const mark = theme.accent(spinner[seconds % spinner.length] ?? "◐");
  return [`${mark} ${theme.dim(oneLine(`${mode}${what} · ${seconds} s · esc interrupts`, width - 2))}`];
}

function busyWith(items: readonly Item[]): string {
  const open = items.findLast((item) => (item.kind === "tool" || item.kind === "agent") && item.endedAt === undefined);
  if (open?.kind === "agent") return `${open.name} works`;
  if (open?.kind === "tool") return open.toolName === "ask_user" ? "waits for you" : `runs ${open.toolName}`;
  const last = items.at(-1);
  if (last?.kind === "reasoning" && last.endedAt === undefined) return "thinks";
  return last?.kind === "text" && !last.done ? "writes" : "waits for the model";
}

/** Prompts that wait, each on a line; alt+up takes the last one back. */
export function queueLines({ queue, steered, theme }: Chat, width: number): string[] {
  const joining = steered.map((text) => theme.dim(`  ↳ joins soon: ${oneLine(text, width - 18)}`));
  const waiting = queue.entries.map(({ text }, at) => theme.dim(`  ${at + 1} queued: ${oneLine(text, width - 14)}`));
  const hint = waiting.length === 0 ? [] : [theme.dim("  alt+up edits the last one")];
  return [...joining, ...cutTo(waiting, 4, theme.dim), ...hint];
}

/** The todos or subgoals while there is something left of them. */
export function planLines({ plan, theme, isRunning }: Chat, width: number): string[] {
  if (!isRunning || plan.steps.length === 0) return [];
  const marks = { open: "☐", active: theme.accent("▸"), done: theme.good("☒"), dropped: theme.dim("☒") };
  const isOpen = ({ state }: { state: string }) => state === "open" || state === "active";
  const done = plan.steps.filter((step) => !isOpen(step)).length;
  const shown = plan.steps.filter(isOpen).map(({ text, state }) => `  ${marks[state]} ${oneLine(text, width - 6)}`);
  return [theme.dim(`plan: ${done} of ${plan.steps.length} done`), ...cutTo(shown, 5, theme.dim)];
}

/** Mode, model, how full the context is, and what the session has cost with everybody in it. */
export function footerLine(chat: Chat, width: number): string {
  const { theme, settings, spentUsd, options, contextShare, model } = chat;
  const budget = options.budgetUsd === undefined ? "" : ` of ${formatDollars(options.budgetUsd)}`;
  const parts = [
    chat.isAgentMode ? "AGENT" : settings.mode,
    model,
    contextShare === undefined ? "" : `${Math.round(contextShare * 100)} % context`,
    spentUsd > 0 || budget !== "" ? `${formatDollars(spentUsd)}${budget}` : "",
    "/help",
  ];
  return theme.dim(oneLine(parts.filter((part) => part !== "").join(" · "), width));
}

function cutTo(lines: readonly string[], most: number, dim: (text: string) => string): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), dim(`  … ${lines.length - most} more`)];
}
