import { backgroundCalls } from "@muster/conformance";
import type { Body, EventBody, Item } from "@muster/schema";
import { type LeftOutTable, remains } from "../../src/converter/left-out.ts";

/** What remains of a session by a table of what an agent has no line for. */
export function remainsOf(rows: LeftOutTable["events"], events: readonly EventBody[]): EventBody[] {
  let isInTurn = false;
  return events.flatMap((body) => {
    if (body.type === "turn.started") isInTurn = true;
    const left = remains(rows, body, isInTurn);
    if (body.type === "turn.ended") isInTurn = false;
    return left;
  });
}

export interface Told {
  turns: unknown[];
  session: Record<string, unknown[]>;
  /** For each turn whether what stands in it came in pieces. */
  pieces: Record<string, boolean[]>[];
}

/**
 * What a session tells, without what each reader makes anew: ids of items, titles and kinds of tools, codes of errors,
 * times. Calls stand where their results came; what a sub-agent did stands under its call. `isAside` names calls that
 * outlive their turn.
 */
export function toldIn(events: readonly EventBody[], isAside: (callId: string) => boolean = () => false): Told {
  const fold = new Fold(isAside);
  for (const body of events) fold.add(body);
  const { turns, session, pieces } = fold;
  return JSON.parse(JSON.stringify({ turns, session, pieces })) as Told;
}

export { backgroundCalls };

interface Turn {
  /** "" or the call in which it happened → what happened, in order. */
  items: Record<string, unknown[]>;
  plans: unknown[];
  requests: Record<string, unknown>;
  failures: string[];
}

class Fold {
  readonly turns: (Turn | { end: unknown })[] = [];
  readonly session: Record<string, unknown[]> = {};
  readonly pieces: Record<string, boolean[]>[] = [];
  readonly #isAside: (callId: string) => boolean;
  #turn: Turn | undefined;
  readonly #items = new Map<string, { parentId: string | undefined; callId: string | undefined }>();
  /** Calls without a result. */
  readonly #calls = new Map<string, { parent: string; call: unknown[]; hasPieces: boolean }>();
  /** Calls that are the form of a question. */
  readonly #asking = new Set<string>();
  readonly #over = new Set<string>();
  readonly #pieces = new Set<string>();

  constructor(isAside: (callId: string) => boolean) {
    this.#isAside = isAside;
  }

  add(body: EventBody): void {
    switch (body.type) {
      case "turn.started":
        this.#turn = { items: {}, plans: [], requests: {}, failures: [] };
        this.turns.push(this.#turn);
        this.pieces.push({});
        return;
      case "turn.ended":
        return this.#end(body.data);
      case "item.started": {
        const { itemId, parentId, content } = body.data.item;
        const callId = content.flatMap((part) => (part.type === "tool_call" ? [part.callId] : []))[0];
        this.#items.set(itemId, { parentId, callId });
        return;
      }
      case "item.delta":
        this.#pieces.add(`${body.data.itemId}/${body.data.index}/${body.data.part}`);
        return;
      case "item.completed":
        return this.#complete(body.data.item);
      case "plan.updated":
        this.#turn?.plans.push(body.data.entries);
        return;
      case "error":
        this.#turn?.failures.push(body.data.message);
        return;
      case "session.updated":
        for (const [field, value] of Object.entries(body.data)) {
          if (value === undefined) continue;
          const known = this.session[field] ?? [];
          const isSame = JSON.stringify(known.at(-1)) === JSON.stringify(value);
          this.session[field] = isSame ? known : [...known, value];
        }
        return;
      case "question.requested": {
        const { questionId, questions } = body.data;
        this.#asking.add(questionId);
        if (this.#turn) this.#turn.requests[questionId] = questions;
        return;
      }
      case "permission.requested":
        if (this.#turn) this.#turn.requests[body.data.permissionId] = body.data.action;
        return;
      default:
        return;
    }
  }

  #complete(item: Item): void {
    const { kind, role, status, content } = item;
    const parent = this.#callAbove(item.parentId);
    for (const [index, part] of content.entries()) {
      const told = (of: string) => item.parentId === undefined && this.#pieces.has(`${item.itemId}/${index}/${of}`);
      switch (part.type) {
        case "tool_call": {
          if (this.#isAside(part.callId) || this.#asking.has(part.callId)) break;
          const call = [part.callId, part.name, part.input];
          this.#calls.set(part.callId, { parent, call, hasPieces: told("output") });
          break;
        }
        case "tool_result": {
          const known = this.#calls.get(part.callId);
          this.#calls.delete(part.callId);
          this.#over.add(part.callId);
          if (known === undefined) break;
          const { output, isError, exitCode, json } = part;
          this.#push(
            known.parent,
            ["call", ...known.call, { output, isError, exitCode, json, status }],
            known.hasPieces,
          );
          break;
        }
        case "status":
          // Codebuff's name of a sub-agent that is known by its call only.
          if (item.nativeItemId !== `${parent}/agent`) this.#push(parent, [kind, part.label, part.detail]);
          break;
        case "json":
          if (kind !== "status") this.#push(parent, [kind, role, part.json, status]);
          break;
        case "text":
        case "reasoning":
        case "plan":
          // Nothing said is nothing.
          if (part.text !== "") this.#push(parent, [kind, role, part, status], told(part.type));
          break;
        default:
          break;
      }
    }
    if (content.length === 0 && kind === "status") this.#push(parent, [kind]);
  }

  /** The call in which it happened, unless that is over; a status that stands between is the sub-agent of the call. */
  #callAbove(parentId: string | undefined): string {
    const above = parentId === undefined ? undefined : this.#items.get(parentId);
    if (above === undefined) return "";
    if (above.callId === undefined) return this.#callAbove(above.parentId);
    return this.#over.has(above.callId) ? "" : above.callId;
  }

  #push(parent: string, entry: unknown[], hasPieces = false): void {
    const pieces = this.pieces.at(-1);
    if (!this.#turn || !pieces) return;
    this.#turn.items[parent] = [...(this.#turn.items[parent] ?? []), entry];
    pieces[parent] = [...(pieces[parent] ?? []), hasPieces];
  }

  #end(data: Body<"turn.ended">["data"]): void {
    const open = [...this.#calls].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, { parent, call, hasPieces }] of open) this.#push(parent, ["call", ...call], hasPieces);
    this.#calls.clear();
    if (this.#turn && this.#turn.failures.length === 0 && data.status === "failed") {
      this.#turn.failures.push(data.message ?? "");
    }
    const { status, usage, costUsd, output } = data;
    // A running total in dollars is not exact.
    this.turns.push({
      end: { status, usage, costUsd: costUsd === undefined ? undefined : Math.round(costUsd * 1e9), output },
    });
    this.#turn = undefined;
  }
}
