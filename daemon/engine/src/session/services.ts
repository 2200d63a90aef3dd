import type { AgentHost } from "@muster/adapters";
import type { Appended, Durability, EventDraft, EventLog, GroupSync } from "../event-log/index.ts";
import type { EngineLog } from "../log.ts";
import type { Layout } from "../store/layout.ts";
import type { TurnTracer } from "../tracing.ts";

/** What every session shares. */
export interface SessionServices {
  layout: Layout;
  host: AgentHost;
  durability: Durability;
  groupSync: GroupSync;
  keepRaw: boolean;
  log: EngineLog;
  tracer?: TurnTracer | undefined;
  /** How long an agent may take to obey: an interrupt, a polite end, and an end that is not polite. */
  patience: { interruptMs: number; closeMs: number; killMs: number };
  environmentSecrets: readonly string[];
  appended(session: { sessionId: string; log: EventLog }, drafts: readonly EventDraft[], appended: Appended): void;
}
