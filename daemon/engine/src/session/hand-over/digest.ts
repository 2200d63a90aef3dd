import type { History, HistoryEntry } from "@muster/adapters";

/** More than this is no history that fits into every context: some 150,000 tokens. */
const mostImported = 600_000;
/** So much of a digest is said; a long text of it is cut in its middle. */
const mostDigest = 48_000;
const mostEntry = 4_000;

/** Whether a history can be a conversation's own, or is told in short. */
export function isTooLong({ entries }: History): boolean {
  return entries.reduce((sum, entry) => sum + textOf(entry).length, 0) > mostImported;
}

/** The newest of a history as one text, with what was left out. */
export function digestOf({ entries }: History): string {
  const told: string[] = [];
  let length = 0;
  for (const entry of entries.toReversed()) {
    const text = shortened(textOf(entry));
    if (length + text.length > mostDigest) break;
    length += text.length;
    told.unshift(text);
  }
  const left = entries.length - told.length;
  const gap = left === 0 ? [] : [`(${left} earlier messages are left out.)`];
  const head = "Before you, another agent worked on this with me. What was said and done:";
  return [head, ...gap, ...told, "That was the conversation so far. It goes on with this:"].join("\n\n");
}

function textOf(entry: HistoryEntry): string {
  if (entry.role === "user") return `I said: ${entry.text}`;
  if (entry.role === "assistant") return `The agent said: ${entry.text}`;
  const { name, input, output, isError } = entry;
  return `The agent called ${name} with ${JSON.stringify(input)}, which ${isError ? "failed with" : "gave"}: ${output}`;
}

function shortened(text: string): string {
  if (text.length <= mostEntry) return text;
  const half = mostEntry / 2;
  return `${text.slice(0, half)}\n(… ${text.length - mostEntry} characters …)\n${text.slice(-half)}`;
}
