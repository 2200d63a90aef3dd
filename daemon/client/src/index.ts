export { type Frame, readFrames } from "@muster/schema";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { ConnectionFailure } from "./connection-failure.ts";
export type { Reconnect } from "./event-stream.ts";
export type { CallId, CallInput, Result, StreamId, UiId } from "./operation-types.ts";
