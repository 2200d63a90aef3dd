import {
  type Body,
  type EventType,
  type Item,
  type PlanEntry,
  type UniversalEvent,
  type Usage,
  WorkTimes,
} from "@muster/schema/wire";
import { Entries, type ItemEntry, type NoteEntry, type RequestEntry } from "./entries.ts";
import { appendDelta, endItem, resultCallOf, startItem } from "./item-view.ts";

type Of<T extends EventType> = Extract<UniversalEvent, { type: T }>;

export interface QueuedMessage {
  messageId: string;
  text: string;
  attachments: number;
  delivery: "queue" | "steer";
  sequence: number;
}

export interface TurnView {
  turnId: string;
  startedAt: number;
  endedAt?: number;
  sequence: number;
  ended?: Body<"turn.ended">["data"];
  /** The session was rewound to before it. */
  rewound?: boolean;
}

export interface UsagePoint {
  time: number;
  turnId?: string;
  usage: Usage & { costUsd?: number };
}

/**
 * What a session looks like, computed from its events and nothing else. Events are applied in order; a fold may begin in
 * the middle of a session, then what it has not seen the beginning of is shown as far as it is known.
 */
export class SessionFold {
  readonly entries = new Entries();
  readonly turns = new Map<string, TurnView>();
  readonly queued = new Map<string, QueuedMessage>();
  readonly usage: UsagePoint[] = [];
  readonly #callOf = new Map<string, string>();
  readonly #pending = new Set<string>();
  readonly #times = new WorkTimes();
  plan: readonly PlanEntry[] = [];
  /** Where a file that came with a message lies → what it was called. */
  readonly filenames = new Map<string, string>();
  commands: readonly { name: string; description?: string }[] = [];
  openTurn: TurnView | undefined;
  lastSequence = 0;

  apply(event: UniversalEvent): void {
    this.lastSequence = event.sequence;
    this.#times.push(event);
    switch (event.type) {
      case "item.started":
        return this.#onItem(event, event.data.item);
      case "item.completed":
        return this.#onItem(event, event.data.item);
      case "item.delta":
        return this.#onDelta(event);
      case "turn.started":
        return this.#onTurnStarted(event);
      case "turn.ended":
        return this.#onTurnEnded(event);
      case "message.updated":
        return this.#onMessage(event);
      case "question.requested":
      case "permission.requested":
        return this.#onRequest(event);
      case "question.resolved":
        return this.#resolve(event.data.questionId, event);
      case "permission.resolved":
        return this.#resolve(event.data.permissionId, event);
      case "plan.updated":
        this.plan = event.data.entries;
        return;
      case "usage.updated":
        this.usage.push({ time: Date.parse(event.time), turnId: event.turnId, usage: event.data });
        return;
      case "session.updated":
        return this.#onUpdated(event);
      case "session.rewound":
        return this.#onRewound(event);
      case "session.started":
      case "session.ended":
      case "session.forked":
      case "agent.changed":
      case "error":
      case "agent.unparsed":
      case "budget.warned":
      case "snapshot.skipped":
      case "log.damaged":
        return this.#addNote(event);
    }
  }

  #addNote(event: NoteEntry["event"]): void {
    this.entries.add({ kind: "note", key: `n${event.sequence}`, sequence: event.sequence, event });
  }

  #onRewound(event: Of<"session.rewound">): void {
    const { turns, undone = false } = event.data;
    this.entries.markTurns(turns, !undone);
    for (const turnId of turns) {
      const turn = this.turns.get(turnId);
      if (turn) this.turns.set(turnId, { ...turn, rewound: !undone });
    }
    this.#addNote(event);
  }

  /** Requests that wait for a person, the oldest first. */
  pending(): RequestEntry[] {
    return [...this.#pending].map((key) => this.entries.get(key) as RequestEntry);
  }

  #onItem(event: Of<"item.started" | "item.completed">, item: Item): void {
    const callId = resultCallOf(item);
    // A result is completed together with its start, which need not say yet whose it is.
    if (item.kind === "tool_result" && event.type === "item.started") return;
    const call = callId === undefined ? undefined : this.#itemEntry(this.#callOf.get(callId));
    if (call !== undefined) {
      this.entries.replace({ ...call, view: { ...call.view, result: item, resultSequence: event.sequence } });
      return;
    }
    const known = this.#itemEntry(item.itemId);
    const begun = event.type === "item.started" ? startItem(event, item) : endItem(event, item, known?.view);
    const view = { ...begun, worked: this.#times.of(item.itemId) };
    for (const part of item.content) if (part.type === "tool_call") this.#callOf.set(part.callId, item.itemId);
    const sequence = known?.sequence ?? event.sequence;
    const { parentId } = item;
    this.entries.put({ kind: "item", key: itemKey(item.itemId), sequence, turnId: event.turnId, parentId, view });
  }

  #onDelta(event: Of<"item.delta">): void {
    const known = this.#itemEntry(event.data.itemId);
    const entry: ItemEntry = known ?? {
      kind: "item",
      key: itemKey(event.data.itemId),
      sequence: event.sequence,
      turnId: event.turnId,
      view: startItem(event, unseenItem(event.data)),
    };
    this.entries.put({ ...entry, view: appendDelta(entry.view, event.data) });
  }

  #onTurnStarted(event: Of<"turn.started">): void {
    const { turnId } = event.data;
    this.openTurn = { turnId, startedAt: Date.parse(event.time), sequence: event.sequence };
    this.turns.set(turnId, this.openTurn);
  }

  #onTurnEnded(event: Of<"turn.ended">): void {
    const { turnId, durationMs } = event.data;
    const endedAt = Date.parse(event.time);
    const begun = this.turns.get(turnId) ?? { turnId, startedAt: endedAt - durationMs, sequence: event.sequence };
    const turn = { ...begun, endedAt, ended: event.data };
    this.turns.set(turnId, turn);
    if (this.openTurn?.turnId === turnId) this.openTurn = undefined;
    this.entries.add({ kind: "turn", key: `t${turnId}`, sequence: event.sequence, turnId, turn });
  }

  #onMessage({ data, sequence }: Of<"message.updated">): void {
    const { messageId, status, message = "", attachments = [], delivery = "queue" } = data;
    for (const { path, filename } of attachments) if (filename !== undefined) this.filenames.set(path, filename);
    if (status !== "queued") this.queued.delete(messageId);
    else this.queued.set(messageId, { messageId, text: message, attachments: attachments.length, delivery, sequence });
    if (status === "failed" || status === "cancelled") {
      this.entries.add({ kind: "fate", key: `m${sequence}`, sequence, status, text: message });
    }
  }

  #onRequest(event: Of<"question.requested" | "permission.requested">): void {
    const id = event.type === "question.requested" ? event.data.questionId : event.data.permissionId;
    const { sequence, turnId } = event;
    this.#pending.add(requestKey(id));
    this.entries.add({ kind: "request", key: requestKey(id), id, sequence, turnId, event });
  }

  #resolve(id: string, event: Of<"question.resolved" | "permission.resolved">): void {
    const entry = this.entries.get(requestKey(id));
    this.#pending.delete(requestKey(id));
    if (entry?.kind === "request") this.entries.replace({ ...entry, resolved: event });
  }

  #onUpdated(event: Of<"session.updated">): void {
    const { commands, agentState, nativeSessionId, agentVersion, ...settings } = event.data;
    if (commands !== undefined) this.commands = commands;
    if (Object.keys(settings).length === 0) return;
    this.entries.add({ kind: "note", key: `n${event.sequence}`, sequence: event.sequence, event });
  }

  #itemEntry(itemId: string | undefined): ItemEntry | undefined {
    const entry = itemId === undefined ? undefined : this.entries.get(itemKey(itemId));
    return entry?.kind === "item" ? entry : undefined;
  }
}

/** Requests the daemon tells of, as entries; their events have not been read. */
export function unseenRequests(waiting: {
  questions: readonly Of<"question.requested">["data"][];
  permissions: readonly Of<"permission.requested">["data"][];
}): RequestEntry[] {
  const head = { sequence: 0, time: "", sessionId: "", source: "daemon" } as const;
  const entry = (id: string, event: RequestEntry["event"]): RequestEntry => {
    return { kind: "request", key: requestKey(id), id, sequence: 0, event };
  };
  return [
    ...waiting.questions.map((data) => entry(data.questionId, { ...head, type: "question.requested", data })),
    ...waiting.permissions.map((data) => entry(data.permissionId, { ...head, type: "permission.requested", data })),
  ];
}

const itemKey = (itemId: string) => `i${itemId}`;
const requestKey = (id: string) => `r${id}`;

/** An item whose beginning lies before the first event that was read. */
function unseenItem({ itemId, part }: Body<"item.delta">["data"]): Item {
  const kind = part === "reasoning" ? "reasoning" : part === "text" ? "message" : "tool_call";
  return { itemId, kind, role: "assistant", status: "in_progress", content: [] };
}
