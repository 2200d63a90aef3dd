import type { History, HistoryEntry } from "@muster/adapters";
import { isRecord } from "@muster/core";
import type { Item, Part, UniversalEvent } from "@muster/schema";
import { turnNumber } from "../../kept-turns.ts";

export interface CarriedHistory extends History {
  /** What of the log no other agent can be told. */
  notCarried: string[];
}

export interface HistoryOptions {
  /** The turns that are carried: what was rewound is none of them. */
  turnIds: ReadonlySet<string>;
  /** How calls are told. */
  calls: "calls" | "text";
}

/** What every provider takes as the id of a call. */
const callIdForm = /^[A-Za-z0-9_-]{1,64}$/;
const nameForm = /^[A-Za-z0-9_-]{1,64}$/;
const lostResult = "(The result of this call is not known.)";

/** The conversation of a log, turn by turn, as another agent can be told it: the log is the source, never the agent's own file. */
export async function historyOfLog(
  events: AsyncIterable<UniversalEvent>,
  { turnIds, calls }: HistoryOptions,
): Promise<CarriedHistory> {
  const entries: HistoryEntry[] = [];
  const open = new Map<string, Extract<HistoryEntry, { role: "call" }>>();
  const lost = new Map<string, number>();
  const leaveOut = (what: string) => lost.set(what, (lost.get(what) ?? 0) + 1);
  const names = new Names();
  for await (const event of events) {
    const { turnId, time } = event;
    if (event.type !== "item.completed" || turnId === undefined || !turnIds.has(turnId)) continue;
    const { item } = event.data;
    const turn = turnNumber(turnId);
    if (item.parentId !== undefined) {
      leaveOut("steps of sub-agents");
      continue;
    }
    for (const part of item.content) {
      if (part.type === "tool_call") {
        const callId = names.idOf(part.callId, entries.length);
        const name = nameForm.test(part.name) ? part.name : part.name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
        const call = { role: "call", callId, name, input: inputOf(part.input), ...unanswered, time, turn } as const;
        entries.push({ ...call });
        const entry = entries.at(-1);
        if (entry?.role === "call") open.set(part.callId, entry);
      } else if (part.type === "tool_result") {
        const call = open.get(part.callId);
        if (call) Object.assign(call, { output: part.output, isError: part.isError });
      } else addText(entries, part, { item, time, turn, leaveOut });
    }
  }
  const told = calls === "calls" ? entries : entries.map(asText);
  return { entries: told, notCarried: [...lost].map(([what, count]) => `${what} (${count})`) };
}

const unanswered = { output: lostResult, isError: true };

function addText(
  entries: HistoryEntry[],
  part: Part,
  { item, time, turn, leaveOut }: { item: Item; time: string; turn: number; leaveOut(what: string): void },
): void {
  const role = item.role === "user" ? "user" : "assistant";
  switch (part.type) {
    case "text":
      if (item.kind !== "status" && part.text !== "") entries.push({ role, text: part.text, time, turn });
      return;
    case "plan":
      entries.push({ role, text: part.text, time, turn });
      return;
    case "json":
      if (item.kind === "message") entries.push({ role, text: JSON.stringify(part.json), time, turn });
      return;
    case "reasoning":
      return leaveOut("reasoning, which only its own provider can read");
    case "image":
      return leaveOut("pictures");
    case "file":
      if (role === "user") entries.push({ role, text: `Attached file: ${part.path}`, time, turn });
      return;
    case "tool_call":
    case "tool_result":
    case "status":
      return;
  }
}

function asText(entry: HistoryEntry): HistoryEntry {
  if (entry.role !== "call") return entry;
  const { name, input, output, isError, time, turn } = entry;
  const how = isError ? "failed with" : "gave";
  return {
    role: "assistant",
    text: `[I called ${name} with ${JSON.stringify(input)}. It ${how}:]\n${output}`,
    time,
    turn,
  };
}

function inputOf(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : { value: input };
}

/** Ids of calls that every provider takes, each given once. */
class Names {
  readonly #given = new Set<string>();

  idOf(callId: string, position: number): string {
    const plain = callIdForm.test(callId) ? callId : `call_${position}`;
    const id = this.#given.has(plain) ? `${plain.slice(0, 50)}_${position}` : plain;
    this.#given.add(id);
    return id;
  }
}
