export type { AgentUser, InstallProgress, InstallSettings } from "@muster/adapters";
export { agentLines } from "./conversion/agent-lines.ts";
export { LineConverter, type LineConverterOptions } from "./conversion/line-converter.ts";
export { SessionLines } from "./conversion/session-lines.ts";
export type { CountedFigure, MeasuredFigure, Meter } from "./counters.ts";
export { type DoctorReport, examineDirectory, type Finding, type SessionReport } from "./doctor/index.ts";
export { Engine, type EngineOptions } from "./engine.ts";
export type { EngineLog } from "./engine-log.ts";
export type { Feed, FeedEvent } from "./feed.ts";
export type { GatewayDoor, RunningGateway } from "./gateway-door.ts";
export { type LocalCredential, localCredentials } from "./local-credentials.ts";
export { foldMessages } from "./message-view.ts";
export { Redactor } from "./secrets/redaction.ts";
export { isSecret, secretsInEnvironment } from "./secrets/secret-names.ts";
export type { Session } from "./session/session.ts";
export { openDataDirectory } from "./store/data-directory.ts";
export { DirectoryInUse } from "./store/directory-in-use.ts";
export type {
  ModelCall,
  ModelCallEnd,
  SessionTracer,
  TraceContext,
  TracedResult,
  TracedTurn,
  TracedWait,
  TurnTrace,
} from "./tracing.ts";
