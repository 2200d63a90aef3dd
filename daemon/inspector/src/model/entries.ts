import type { UniversalEvent } from "@muster/schema";
import type { ItemView } from "./item-view.ts";
import type { TurnView } from "./session-fold.ts";

type Events<T extends UniversalEvent["type"]> = Extract<UniversalEvent, { type: T }>;

interface Place {
  /** Stays the same for as long as the thing does. */
  key: string;
  /** Of the event it began with. */
  sequence: number;
  turnId?: string;
  /** The item of the call whose sub-agent it belongs to. */
  parentId?: string;
  /** The session was rewound to before it: the agent does not know of it any more. */
  rewound?: boolean;
}

export type ItemEntry = Place & { kind: "item"; view: ItemView };
export type RequestEntry = Place & {
  kind: "request";
  id: string;
  event: Events<"question.requested" | "permission.requested">;
  resolved?: Events<"question.resolved" | "permission.resolved">;
};
export type NoteEntry = Place & {
  kind: "note";
  event: Events<
    | "session.started"
    | "session.updated"
    | "session.ended"
    | "session.rewound"
    | "session.forked"
    | "agent.changed"
    | "error"
    | "agent.unparsed"
    | "budget.warned"
    | "snapshot.skipped"
    | "log.damaged"
  >;
};

/** One thing of a conversation. Never changed: what happens to it puts another one in its place. */
export type Entry =
  | ItemEntry
  | RequestEntry
  | NoteEntry
  | (Place & { kind: "turn"; turn: TurnView })
  | (Place & { kind: "fate"; status: "failed" | "cancelled"; text: string });

export interface Row {
  entry: Entry;
  depth: number;
}

/** Entries in the order they began, those of a sub-agent under their call. */
export class Entries {
  readonly #at = new Map<string, Entry>();
  readonly #order: string[] = [];
  readonly #children = new Map<string, string[]>();
  #rows: Row[] | undefined;

  get(key: string): Entry | undefined {
    return this.#at.get(key);
  }

  /** Adds it, or puts it in the place of the one with its key. */
  put(entry: Entry): void {
    if (this.#at.has(entry.key)) this.replace(entry);
    else this.add(entry);
  }

  add(entry: Entry): void {
    if (!this.#at.has(entry.key)) this.#siblings(entry).push(entry.key);
    this.replace(entry);
  }

  replace(entry: Entry): void {
    this.#at.set(entry.key, entry);
    this.#rows = undefined;
  }

  /** Marks everything of these turns as rewound, or as part of the conversation again. */
  markTurns(turnIds: readonly string[], rewound: boolean): void {
    const turns = new Set(turnIds);
    for (const entry of this.all())
      if (entry.turnId !== undefined && turns.has(entry.turnId)) this.replace({ ...entry, rewound });
  }

  all(): Entry[] {
    return [...this.#at.values()];
  }

  /** As they are drawn from top to bottom. */
  rows(): readonly Row[] {
    if (this.#rows !== undefined) return this.#rows;
    const rows: Row[] = [];
    const add = (key: string, depth: number): void => {
      const entry = this.#at.get(key);
      if (entry === undefined) return;
      rows.push({ entry, depth });
      for (const child of this.#children.get(key) ?? []) add(child, depth + 1);
    };
    for (const key of this.#order) add(key, 0);
    this.#rows = rows;
    return rows;
  }

  /** Where the parent is not known, because it lies before the first event that was read, it stands by itself. */
  #siblings({ parentId, key }: Entry): string[] {
    const parent = parentId === undefined ? undefined : `i${parentId}`;
    if (parent === undefined || parent === key || !this.#at.has(parent)) return this.#order;
    const siblings = this.#children.get(parent) ?? [];
    this.#children.set(parent, siblings);
    return siblings;
  }
}
