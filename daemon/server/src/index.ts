export {
  type DoctorReport,
  examineDirectory,
  type Finding,
  LineConverter,
  type LineConverterOptions,
  type LocalCredential,
  localCredentials,
} from "@muster/engine";
export type { FrameSource } from "@muster/http";
export { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
export { canHideKeys, type HiddenKeys, hideKeys } from "./engine/hide-keys.ts";
export { type LogLevel, logLevels } from "./engine/logging.ts";
export type { GatewaySettings } from "./engine/model-gateway.ts";
export type { RunningEngineOptions } from "./engine/running-engine.ts";
export { type InlineDaemon, type InlineInput, startInline } from "./inline.ts";
export { runOwnProgram } from "./sandbox/own-programs.ts";
