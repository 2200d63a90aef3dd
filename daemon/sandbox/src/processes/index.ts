export { runKeeper } from "./keeper/run-keeper.ts";
export { bytesOf } from "./log/output-lines.ts";
export type { ChunkReader } from "./log/process-log.ts";
export { listeningPorts } from "./ports/listening-ports.ts";
export type { ProcessHost } from "./process-host.ts";
export { Processes, type ProcessFilter, type StartOptions } from "./processes.ts";
export { runProcess } from "./run-process.ts";
export type { SandboxProcess } from "./sandbox-process.ts";
