import type { Adapter } from "@muster/adapters";
import type { ActiveFile } from "../store/active-file.ts";
import type { Journal } from "./journal.ts";
import type { OpenItems } from "./open-items.ts";
import type { Requests } from "./requests.ts";
import type { SessionServices } from "./services.ts";
import type { SessionSettings } from "./settings.ts";
import type { Turns } from "./turns.ts";

/** What the parts of one session share with each other. */
export interface SessionContext {
  readonly sessionId: string;
  readonly adapter: Adapter;
  readonly services: SessionServices;
  readonly settings: SessionSettings;
  readonly journal: Journal;
  readonly items: OpenItems;
  readonly requests: Requests;
  readonly turns: Turns;
  readonly active: ActiveFile;
  /** Throws when the session takes nothing any more: the daemon stops, or the disk has failed. */
  mustBeOpen(): void;
  isClosed(): boolean;
  /** When neither a life nor a message is unsettled, the state is stored and recovery need not look here. */
  settle(): Promise<void>;
  /** Work nobody waits for: a failure of it is seen in the log. */
  background(what: string, work: Promise<unknown>): void;
}
