import type { AgentHost } from "@muster/adapters";
import type { Durability, Framing, GroupSync } from "@muster/log";
import type { EngineLog } from "../engine-log.ts";
import type { LinePage } from "../event-log/index.ts";
import type { Redactor } from "../secrets/redaction.ts";
import type { Fence } from "../store/fence.ts";
import type { Layout } from "../store/layout.ts";
import type { TurnTracer } from "../tracing.ts";
import type { Audience } from "./state/journal.ts";

/** What every session shares. */
export interface SessionServices extends Audience {
  layout: Layout;
  host: AgentHost;
  durability: Durability;
  groupSync: GroupSync;
  fence: Fence;
  keepRaw: boolean;
  framing?: Framing;
  page: LinePage;
  log: EngineLog;
  tracer?: TurnTracer;
  redactor: Redactor;
  learnSecrets(): Promise<void>;
}
