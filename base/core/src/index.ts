export { messageOf } from "./errors.ts";
export { withEntry, withoutEntry } from "./persistent-map.ts";
export { redactedMark, redactForms, redactKnown, redactShapes, redactValues, sortForms } from "./secrets/redact.ts";
export { secretForms } from "./secrets/secret-forms.ts";
export { settlesWithin } from "./settles-within.ts";
export { formatFrames, type WrittenFrame } from "./sse/format-frames.ts";
export { type Frame, type ReadFrames, readFrameBatches, readFrames } from "./sse/read-frames.ts";
export { type Paint, paintFor, plain } from "./text/paint.ts";
export { untilAborted } from "./until-aborted.ts";
