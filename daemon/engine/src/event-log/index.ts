export { EventLog } from "./event-log.ts";
export { eventFiles, eventForm } from "./events/event-form.ts";
export { type EventDraft, EventLines } from "./events/event-line.ts";
export { LinePage } from "./events/line-page.ts";
export { RawLog } from "./raw-log.ts";
