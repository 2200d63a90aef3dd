export type { Appended } from "./batch.ts";
export { type EventDraft, EventLines } from "./event-line.ts";
export { type Durability, EventLog } from "./event-log.ts";
export { joinFrames, splitFrames } from "./frames.ts";
export { GroupSync } from "./group-sync.ts";
export { lastSequenceIn } from "./last-sequence.ts";
export type { LogReader } from "./log-reader.ts";
export { RawLog } from "./raw-log.ts";
export type { Recovery } from "./recover.ts";
