export { runKeeper } from "./processes/keeper/run-keeper.ts";
export type { ChunkReader } from "./processes/log/process-log.ts";
export type { ProcessHost } from "./processes/process-host.ts";
export { Processes, type ProcessFilter, type StartOptions } from "./processes/processes.ts";
export { runProcess } from "./processes/run-process.ts";
export type { SandboxProcess } from "./processes/sandbox-process.ts";
export { asciicastOf } from "./terminals/asciicast.ts";
export { Terminals } from "./terminals/terminals.ts";
export type { ViewerSocket } from "./terminals/viewer.ts";
