/** What a client needs at run time: nothing here loads zod, so that it is small enough for a web page. */
export { Failure, type FailureFields } from "./failure.ts";
export { problems } from "./problems.ts";
export { type Frame, readFrameBatches, readFrames } from "./sse-reader.ts";
