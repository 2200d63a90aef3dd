export type { Appended } from "./batch.ts";
export type { EventDraft } from "./event-line.ts";
export { type Durability, EventLog, type EventLogOptions, type EventPage } from "./event-log.ts";
export { GroupSync } from "./group-sync.ts";
export { sequenceOf } from "./line-walk.ts";
export type { LogReader, ReaderOptions } from "./log-reader.ts";
export { RawLog, type RawLogOptions } from "./raw-log.ts";
export type { Recovery } from "./recover.ts";
