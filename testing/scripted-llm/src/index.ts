export { type RecordOptions, startRecording } from "./record/record-upstream.ts";
export type { RecordedRequest, ScriptFailure } from "./record/recorder.ts";
export { type ReplayOptions, startReplay } from "./replay.ts";
export type { AgentName } from "./request/agent-names.ts";
export type { ModelRequest } from "./request/model-request.ts";
export { defineScript, type ScriptInput } from "./script/script.ts";
export { ScriptError } from "./script/script-error.ts";
export { type ScriptedLlm, type ScriptedLlmOptions, startScriptedLlm } from "./server.ts";
