import { type Message, rootAgentName, type ToolCall } from "@muster/codebuff-protocol";
import { attachBytes } from "./attached-bytes.ts";
import { type SessionEntry, type SessionHeader, standingOf } from "./entries.ts";
import { filesFolder } from "./places.ts";
import { repairHistory } from "./repair-history.ts";
import { readEntries, readEntriesBackward, readHeader } from "./session-reader.ts";

export interface RestoredSession {
  readonly header: SessionHeader;
  /** The model's view: whole, every call with a result. */
  readonly messages: readonly Message[];
  /** A result had to be added: the file itself does not say what `messages` says. */
  readonly repaired: boolean;
  /** What else the last run that ended left behind. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The last run never ended. */
  readonly interrupted: boolean;
}

/** Reads back to the last time the history was replaced, which is all the model ever sees again. */
export async function restoreSession(folder: string, id: string, as: RestoredAs = {}): Promise<RestoredSession> {
  const header = await readHeader(folder, id);
  const isNow = as.upTo === undefined && as.redone === undefined;
  const entries = (isNow ? await newestEntries(folder, id) : undefined) ?? (await standingEntries(folder, id, as));
  const found = fold(entries);
  const whole = repairHistory(found.messages, found.begun);
  const messages = await attachBytes(whole, filesFolder(folder, id));
  const repaired = whole.length !== found.messages.length;
  return { header, messages, repaired, state: found.state, interrupted: found.isRunning };
}

/** A session as it was before a place, or as it would be if a rewind had not been. */
export interface RestoredAs {
  /** The last entry that counts. */
  readonly upTo?: number;
  /** The entry of a rewind. */
  readonly redone?: number;
}

/** Every entry that still stands: what a rewind took back is left out. */
export async function standingEntries(
  folder: string,
  id: string,
  { upTo = Number.POSITIVE_INFINITY, redone }: RestoredAs = {},
): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of readEntries(folder, id)) if (entry.n !== redone) entries.push(entry);
  return standingOf(entries).filter(({ n }) => n <= upTo);
}

/** Undefined when a rewind stands in the way: what it took back can only be told from the start. */
async function newestEntries(folder: string, id: string): Promise<SessionEntry[] | undefined> {
  const newest: SessionEntry[] = [];
  let hasHistory = false;
  let hasState = false;
  for await (const entry of readEntriesBackward(folder, id)) {
    if (entry.type === "rewind" || entry.type === "redo") return undefined;
    const isState = entry.type === "end";
    if (!hasHistory || (isState && !hasState)) newest.push(entry);
    hasState ||= isState;
    hasHistory ||= entry.type === "replace" && entry.agentId === rootAgentName;
    if (hasHistory && hasState) break;
  }
  return newest.reverse();
}

function fold(entries: readonly SessionEntry[]) {
  let messages: Message[] = [];
  let begun: ToolCall[] = [];
  let state: Record<string, unknown> = {};
  let isRunning = false;
  for (const entry of entries) {
    if (entry.type === "run") isRunning = true;
    if (entry.type === "end") {
      isRunning = false;
      state = entry.state ?? {};
    }
    if (!("agentId" in entry) || entry.agentId !== rootAgentName) continue;
    if (entry.type === "append") messages.push(...entry.messages);
    if (entry.type === "replace") messages = [...entry.messages];
    if (entry.type === "edit") messages = [...keptOf(messages, entry.keep), ...entry.messages];
    begun = entry.type === "calls" ? [...begun, ...entry.calls] : begun;
  }
  if (!isRunning) begun = [];
  return { messages, begun, state, isRunning };
}

function keptOf(messages: readonly Message[], keep: readonly (readonly [number, number])[]): Message[] {
  return keep.flatMap(([from, to]) => messages.slice(from, to));
}
