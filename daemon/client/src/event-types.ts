import type { EventData } from "./generated/types.ts";

/** The types of events: `turn.started`, `item.delta` … */
export type EventType = keyof EventData;
/** The body of one type of event: its type and its data. */
export type Body<T extends EventType> = { [K in T]: { type: K; data: EventData[K] } }[T];
