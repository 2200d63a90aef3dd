import type { AgentHost } from "@muster/adapters";
import type { Durability, Framing, GroupSync } from "@muster/log";
import type { Meter } from "../counters.ts";
import type { EngineLog } from "../engine-log.ts";
import type { LinePage } from "../event-log/index.ts";
import type { Feed } from "../feed.ts";
import type { Redactor } from "../secrets/redaction.ts";
import type { Fence } from "../store/fence.ts";
import type { Layout } from "../store/layout.ts";
import type { SessionTracer } from "../tracing.ts";
import type { DirectoryHistories } from "./snapshots/directory-histories.ts";

/** What every session shares. */
export interface SessionServices {
  feed: Feed;
  layout: Layout;
  host: AgentHost;
  durability: Durability;
  groupSync: GroupSync;
  fence: Fence;
  keepRaw: boolean;
  framing?: Framing;
  page: LinePage;
  log: EngineLog;
  /** Histories of the directories; undefined where no snapshots are taken. */
  histories?: DirectoryHistories;
  tracer?: SessionTracer;
  meter?: Meter;
  redactor: Redactor;
  learnSecrets(): Promise<void>;
  /** Resolves when the model gateway listens, where there is one. */
  prepareGateway(): Promise<void>;
}
