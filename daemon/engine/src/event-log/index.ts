export { EventLog } from "./event-log.ts";
export { eventFiles, eventForm } from "./events/event-form.ts";
export { type EventDraft, EventLines } from "./events/event-line.ts";
export { splitFrames } from "./events/frames.ts";
export { RawLog } from "./raw-log.ts";
