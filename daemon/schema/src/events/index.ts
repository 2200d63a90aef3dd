import type { z } from "zod";
import { itemEvents } from "./items.ts";
import { logEvents } from "./log.ts";
import { reportEvents } from "./reports.ts";
import { requestEvents } from "./requests.ts";
import { sessionEvents } from "./sessions.ts";
import { snapshotEvents } from "./snapshots.ts";
import { timeMachineEvents } from "./time-machine.ts";
import { turnEvents } from "./turns.ts";

/**
 * type → data. Adding an event means adding a row to the file of its subject; the union, the docs and the clients
 * follow, in this order.
 */
export const eventData = {
  ...sessionEvents,
  ...timeMachineEvents,
  ...turnEvents,
  ...itemEvents,
  ...requestEvents,
  ...reportEvents,
  ...snapshotEvents,
  ...logEvents,
} as const;

export type EventType = keyof typeof eventData;
export const eventTypes = Object.keys(eventData) as EventType[];

/** The body of one type of event. */
export type Body<T extends EventType> = { [K in T]: { type: K; data: z.infer<(typeof eventData)[K]> } }[T];
/** What happened, before it has a number and a time. */
export type EventBody = Body<EventType>;
