import type { Item, Part } from "@muster/schema";
import type { Signal } from "../signals.ts";
import type { Step } from "./converter.ts";

/** Items are numbered over all lives of a session; every converter's state has the next free number. */
interface Numbered {
  readonly nextItem: number;
}

export type NewItem = Omit<Item, "itemId">;

/** The same for all: most of what an agent says is not answered. */
const noReplies: readonly never[] = [];

/** The state as it is now, and what is to be told of it. */
export function emit<State>(state: State, ...bodies: Signal[]): Step<State, never> {
  return { state, bodies, replies: noReplies };
}

/** Steps one after the other, each on the state the one before left, as one step. */
export function chain<State, Native>(
  state: NoInfer<State>,
  ...steps: readonly ((state: State) => Step<State, Native>)[]
): Step<State, Native> {
  const bodies: Signal[] = [];
  const replies: Native[] = [];
  let current = state;
  for (const step of steps) {
    const result = step(current);
    current = result.state;
    bodies.push(...result.bodies);
    replies.push(...result.replies);
  }
  return { state: current, bodies, replies };
}

export function chainEach<State, Native, Thing>(
  state: NoInfer<State>,
  things: readonly Thing[],
  step: (state: State, thing: Thing) => Step<State, Native>,
): Step<State, Native> {
  return chain(state, ...things.map((thing) => (current: State) => step(current, thing)));
}

/** Gives an item its number and starts it. */
export function startItem<State extends Numbered>(
  state: State,
  item: NewItem,
): Step<State, never> & { itemId: string } {
  const itemId = `item_${state.nextItem}`;
  const next = { ...state, nextItem: state.nextItem + 1 };
  return { ...emit(next, { type: "item.started", data: { item: { itemId, ...item } } }), itemId };
}

/** An item that is over as soon as it is known. */
export function addItem<State extends Numbered>(state: State, item: NewItem): Step<State, never> {
  const start = startItem(state, { ...item, status: "in_progress", content: [] });
  return emit(start.state, ...start.bodies, {
    type: "item.completed",
    data: { item: { itemId: start.itemId, ...item } },
  });
}

export interface NewStatus {
  label: string;
  detail?: string | undefined;
  parentId?: string | undefined;
  nativeItemId?: string | undefined;
}

/** Something worth one line to a person. */
export function addStatus<State extends Numbered>(
  state: State,
  { label, detail, parentId, nativeItemId }: NewStatus,
): Step<State, never> {
  const content: Part[] = [{ type: "status", label, detail }];
  return addItem(state, { nativeItemId, parentId, kind: "status", role: "system", status: "completed", content });
}
