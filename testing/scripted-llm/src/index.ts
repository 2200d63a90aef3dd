export type { AgentName } from "./agents/agent-names.ts";
export type { ModelRequest } from "./model-request.ts";
export { type RecordOptions, startRecording } from "./record-upstream.ts";
export type { RecordedRequest, ScriptFailure } from "./recorder.ts";
export { type ReplayOptions, startReplay } from "./replay.ts";
export { defineScript, type ScriptInput } from "./script.ts";
export { ScriptError } from "./script-error.ts";
export { type ScriptedLlm, type ScriptedLlmOptions, startScriptedLlm } from "./server.ts";
