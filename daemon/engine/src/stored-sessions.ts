import { rm, stat } from "node:fs/promises";
import { lastSequenceIn } from "@muster/log";
import { syncDirectory } from "@muster/node";
import type { Session as SessionView } from "@muster/schema";
import { Failure, sessionIdForm } from "@muster/schema/wire";
import { foldOf } from "./checkpoint.ts";
import type { EngineLog } from "./engine-log.ts";
import { eventFiles } from "./event-log/index.ts";
import { emptyFold } from "./fold.ts";
import { viewSession } from "./session/state/session-view.ts";
import { writeDurably } from "./store/durable-file.ts";
import type { Layout } from "./store/layout.ts";
import { readSessionFile, type SessionFile } from "./store/session-file.ts";

/** The sessions as the disk knows them, without opening one. */
export class StoredSessions {
  readonly #layout: Layout;
  readonly #log: EngineLog;
  /** Told once: a list that is asked for every second would fill the log. */
  readonly #told = new Set<string>();

  constructor(layout: Layout, log: EngineLog) {
    this.#layout = layout;
    this.#log = log;
  }

  /** undefined when there never was such a session. Throws `session_unreadable`. */
  async find(sessionId: string): Promise<SessionFile | undefined> {
    const path = this.#layout.sessionFile(sessionId);
    return await readSessionFile(path, sessionId).catch((error: unknown) => this.refuse(sessionId, error, path));
  }

  /** Throws `session_unreadable` for what made its files no use, and the error itself where the system is to blame. */
  refuse(sessionId: string, error: unknown, path = this.#layout.session(sessionId)): never {
    if (error instanceof Failure || isShortage(error)) throw error;
    if (!this.#told.has(sessionId))
      this.#log("error", "a session is unreadable", { sessionId, path, error: `${error}` });
    this.#told.add(sessionId);
    throw new Failure("session_unreadable", `The files of session ${sessionId} are damaged`, { sessionId });
  }

  /** Throws `session_not_found`, `session_deleted` and `session_unreadable`. */
  async get(sessionId: string): Promise<SessionFile> {
    const isDeleted = await this.isDeleted(sessionId);
    if (isDeleted) throw new Failure("session_deleted", `The session ${sessionId} was deleted`, { sessionId });
    const file = sessionIdForm.test(sessionId) ? await this.find(sessionId) : undefined;
    if (file) return file;
    throw new Failure("session_not_found", `There is no session ${sessionId}`, { sessionId });
  }

  async isDeleted(sessionId: string): Promise<boolean> {
    // No mark, not deleted.
    const found = await stat(this.#layout.deletedFile(sessionId)).catch(() => undefined);
    return found !== undefined;
  }

  async markDeleted(sessionId: string): Promise<void> {
    await writeDurably(this.#layout.deletedFile(sessionId), JSON.stringify({ sessionId, at: new Date() }));
    this.#told.delete(sessionId);
  }

  async forgetDeleted(sessionId: string): Promise<void> {
    await rm(this.#layout.deletedFile(sessionId), { force: true });
    await syncDirectory(this.#layout.deleted);
  }

  /** A session at rest as clients see it; undefined when its log says more than its file and has to be read. */
  async view(sessionId: string): Promise<SessionView | undefined> {
    const file = await this.get(sessionId);
    const state = file.checkpoint ? foldOf(file.checkpoint) : emptyFold(file.createdAt);
    const folder = this.#layout.session(sessionId);
    const last = await lastSequenceIn(folder, eventFiles).catch((error: unknown) => this.refuse(sessionId, error));
    if (last !== state.sequence) return undefined;
    return viewSession(file, state, { opening: false, alive: false, missingSecrets: file.secretNames });
  }

  /** What can be said of a session whose files are no use: that it is there. The log names the file. */
  async viewUnreadable(sessionId: string): Promise<SessionView> {
    // Where even the folder cannot be looked at, there is no time to tell.
    const found = await stat(this.#layout.session(sessionId)).catch(() => undefined);
    const time = (found?.mtime ?? new Date(0)).toISOString();
    return {
      sessionId,
      agent: "unknown",
      permissionMode: "default",
      directory: "",
      state: "unreadable",
      healthy: false,
      lastSequence: 0,
      queued: 0,
      pendingRequests: 0,
      usage: { inputTokens: 0, outputTokens: 0 },
      costUsd: 0,
      keys: "none",
      createdAt: time,
      updatedAt: time,
      lastUsedAt: time,
    };
  }
}

/** The process has used up what it may open: nothing is wrong with the file. */
function isShortage(error: unknown): boolean {
  return ["EMFILE", "ENFILE", "ENOMEM"].includes((error as NodeJS.ErrnoException).code ?? "");
}
