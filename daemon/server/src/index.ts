export { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
export { type LocalCredential, localCredentials } from "./local-credentials.ts";
export { type LogLevel, logLevels } from "./logging.ts";
