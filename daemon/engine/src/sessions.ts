import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { type Adapter, SerialQueues } from "@muster/adapters";
import type { AgentError, CreatedSession, CreateSession, Query, Session as SessionView } from "@muster/schema";
import { Failure, SessionId } from "@muster/schema";
import type { Agents } from "./agents.ts";
import { emptyFold } from "./session/fold.ts";
import { type Secrets, secretNames, splitSecrets, withoutSecrets } from "./session/secrets.ts";
import { Session } from "./session/session.ts";
import type { SessionServices } from "./session/session-services.ts";
import { viewSession } from "./session/session-view.ts";
import { syncDirectory, writeDurably } from "./store/durable-file.ts";
import { createSessionFile, readSessionFile, type SessionFile } from "./store/session-file.ts";
import { SessionIndex } from "./store/session-index.ts";

export interface SessionsOptions extends SessionServices {
  agents: Agents;
  /** Where an agent works when the create body does not say. */
  defaultDirectory: string;
  retainDays?: number;
}

/** How long a session that does nothing stays in memory after its last use. */
const coldMs = 60_000;
const sweepMs = 30_000;
const retainMs = 3_600_000;

/** Every session of the daemon: those at work in memory, the others on disk. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #index: SessionIndex;
  readonly #loaded = new Map<string, { session: Session; usedAt: number }>();
  /** What happens to one id happens in order. */
  readonly #queues = new SerialQueues();
  readonly #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#index = new SessionIndex(options.layout);
  }

  get loaded(): Iterable<Session> {
    return [...this.#loaded.values()].map(({ session }) => session);
  }

  /** The same id and body again gives the same session; `created` tells which it was. */
  async create(sessionId: string, body: CreateSession): Promise<CreatedSession & { created: boolean }> {
    return this.#queues.run(sessionId, async () => {
      this.#mustBeOpen();
      const adapter = this.#options.agents.adapter(body.agent);
      const digest = createHash("sha256")
        .update(JSON.stringify(withoutSecrets(body)))
        .digest("base64url");
      if (await this.#isDeleted(sessionId)) {
        throw new Failure("session_deleted", `The session ${sessionId} was deleted`, { sessionId, status: 409 });
      }
      const existing = await readSessionFile(this.#options.layout.sessionFile(sessionId));
      if (existing && existing.digest !== digest) {
        throw new Failure("session_exists", `The session ${sessionId} exists with other settings`, { sessionId });
      }
      if (existing) return { ...createdAnswer(await this.#load(sessionId, existing)), created: false };
      const { plain, secrets } = splitSecrets(body);
      const { token: _, validateToken, dangerouslySkipPermissions, ...settings } = body;
      const permissionMode = dangerouslySkipPermissions ? "bypass" : (body.permissionMode ?? "default");
      const directory = await checkDirectory(body.directory ?? this.#options.defaultDirectory);
      const stored = { ...settings, ...plain, permissionMode, directory };
      adapter.check({ ...body, permissionMode, directory });
      const createdAt = new Date().toISOString();
      const file: SessionFile = {
        format: 1,
        sessionId,
        createdAt,
        settings: stored,
        digest,
        secretNames: secretNames(secrets),
      };
      const session = await this.#make(file, adapter, secrets);
      this.#loaded.set(sessionId, { session, usedAt: Date.now() });
      this.#index.put({ sessionId, createdAt, updatedAt: createdAt, state: "asleep" });
      const verdict = validateToken ? await this.#options.agents.checkToken(body) : undefined;
      if (verdict === "refused") await session.refuse(tokenRefused);
      else await session.start();
      return { ...createdAnswer(session), validated: verdict && verdict !== "unknown", created: true };
    });
  }

  /** The session at work, restored from disk if needed. */
  async get(sessionId: string): Promise<Session> {
    const loaded = this.#loaded.get(sessionId);
    if (loaded) {
      loaded.usedAt = Date.now();
      return loaded.session;
    }
    return this.#queues.run(sessionId, async () => this.#load(sessionId, await this.#file(sessionId)));
  }

  /** A session as clients see it; one that rests on disk stays there. */
  async view(sessionId: string): Promise<SessionView> {
    const loaded = this.#loaded.get(sessionId);
    return loaded ? loaded.session.view() : viewOnDisk(await this.#file(sessionId));
  }

  async list({ after, limit = 100, state }: Query<"sessions.list">) {
    const entries = await this.#index.after(after);
    if (!entries) throw new Failure("invalid_request", `There is no session ${after} to list after`, { after });
    const ids: string[] = [];
    for (const entry of entries) {
      const now = this.#loaded.get(entry.sessionId)?.session.view().state ?? entry.state;
      if (state === undefined || now === state) ids.push(entry.sessionId);
      if (ids.length > limit) break;
    }
    const found = await Promise.all(ids.slice(0, limit).map((sessionId) => this.view(sessionId).catch(goneIsNull)));
    return { sessions: found.filter((session) => session !== null), hasMore: ids.length > limit };
  }

  /** Kills the agent, ends the readers, removes the log. The id stays deleted. */
  async delete(sessionId: string): Promise<void> {
    this.#loaded.get(sessionId)?.session.refuseWork();
    await this.#queues.run(sessionId, async () => {
      const file = await this.#file(sessionId);
      const { deletedFile } = this.#options.layout;
      const mark = () => writeDurably(deletedFile(sessionId), JSON.stringify({ sessionId, at: new Date() }));
      // On a full disk there is room for the mark only once the log is gone.
      const isMarked = await mark().then(
        () => true,
        () => false,
      );
      const session = this.#loaded.get(sessionId)?.session;
      this.#loaded.delete(sessionId);
      await session?.destroy();
      await rm(this.#options.layout.session(file.sessionId), { recursive: true, force: true });
      await syncDirectory(this.#options.layout.sessions);
      if (!isMarked) await mark();
      this.#index.remove(sessionId);
    });
  }

  /** Before listening: what a dead daemon left open is closed. Only sessions with an active file are looked at. */
  async recover(): Promise<number> {
    const { layout, log } = this.#options;
    const names = await readdir(layout.active);
    for (const name of names) {
      const path = join(layout.active, name);
      try {
        const { sessionId } = JSON.parse(await readFile(path, "utf8")) as { sessionId: string };
        const file = name.endsWith(".tmp") ? undefined : await readSessionFile(layout.sessionFile(sessionId));
        if (!file || (await this.#isDeleted(sessionId))) {
          await rm(path, { force: true });
          continue;
        }
        const session = await this.#load(sessionId, file, { wasActive: true });
        await session.recover();
      } catch (error) {
        log("error", "a session could not be recovered", { name, error: String(error) });
      }
    }
    return this.#loaded.size;
  }

  /** After listening: messages that wait are given, and the slow work of a start is done. */
  begin(): void {
    for (const session of this.loaded) session.resumeQueue();
    this.#background("read the session index", this.#index.load());
    this.#timers.push(setInterval(() => this.#background("sweep", this.#sweep()), sweepMs).unref());
    if (this.#options.retainDays === undefined) return;
    this.#background("remove old sessions", this.#retain());
    this.#timers.push(setInterval(() => this.#background("remove old sessions", this.#retain()), retainMs).unref());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const session of this.loaded) session.refuseWork();
    await this.#queues.idle();
    await Promise.allSettled([...this.#loaded.values()].map(({ session }) => session.close()));
    for (const { session } of this.#loaded.values()) this.#remember(session);
    await this.#index.close();
  }

  /** The first files of a session; a disk that cannot hold them is left as it was. */
  async #make(file: SessionFile, adapter: Adapter, secrets: Secrets): Promise<Session> {
    const { layout } = this.#options;
    try {
      await createSessionFile(layout.sessionFile(file.sessionId), file);
      return await Session.open(this.#options, adapter, file, { secrets });
    } catch (error) {
      await rm(layout.session(file.sessionId), { recursive: true, force: true });
      throw error;
    }
  }

  async #load(sessionId: string, file: SessionFile, options: { wasActive?: boolean } = {}): Promise<Session> {
    const loaded = this.#loaded.get(sessionId);
    if (loaded) return loaded.session;
    this.#mustBeOpen();
    const adapter = this.#options.agents.adapter(file.settings.agent);
    const session = await Session.open(this.#options, adapter, file, options);
    this.#loaded.set(sessionId, { session, usedAt: Date.now() });
    return session;
  }

  async #file(sessionId: string): Promise<SessionFile> {
    const file = SessionId.safeParse(sessionId).success
      ? await readSessionFile(this.#options.layout.sessionFile(sessionId))
      : undefined;
    if (file && !(await this.#isDeleted(sessionId))) return file;
    if (file || (await this.#isDeleted(sessionId))) {
      throw new Failure("session_deleted", `The session ${sessionId} was deleted`, { sessionId });
    }
    throw new Failure("session_not_found", `There is no session ${sessionId}`, { sessionId });
  }

  async #isDeleted(sessionId: string): Promise<boolean> {
    // No mark, not deleted.
    const found = await stat(this.#options.layout.deletedFile(sessionId)).catch(() => undefined);
    return found !== undefined;
  }

  /** Drops sessions from memory that do nothing and that nobody reads. */
  async #sweep(): Promise<void> {
    const before = Date.now() - coldMs;
    for (const [sessionId, entry] of this.#loaded) {
      this.#remember(entry.session);
      const isUnused = () => entry.usedAt < before && entry.session.isCold && entry.session.log.readerCount === 0;
      if (!isUnused() && !entry.session.log.failed) continue;
      await this.#queues.run(sessionId, async () => {
        if (!isUnused() && !entry.session.log.failed) return;
        this.#loaded.delete(sessionId);
        await entry.session.close();
      });
    }
  }

  #remember(session: Session): void {
    const { sessionId, createdAt, updatedAt, state } = session.view();
    this.#index.put({ sessionId, createdAt, updatedAt, state: state === "ended" ? "ended" : "asleep" });
  }

  async #retain(): Promise<void> {
    const { retainDays, log } = this.#options;
    if (retainDays === undefined) return;
    const oldest = new Date(Date.now() - retainDays * 86_400_000).toISOString();
    for (const { sessionId, updatedAt } of [...((await this.#index.after(undefined)) ?? [])]) {
      const isOld = updatedAt < oldest && !this.#loaded.has(sessionId);
      if (!isOld || (await this.view(sessionId)).updatedAt >= oldest) continue;
      await this.delete(sessionId);
      log("info", "removed an old session", { sessionId, updatedAt });
    }
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Failure("shutting_down", "The daemon is shutting down");
  }

  #background(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#options.log("error", `could not ${what}`, { error: String(error) }));
  }
}

const tokenRefused: AgentError = { type: "token_error", message: "The provider refuses the agent's token" };

function createdAnswer(session: Session): CreatedSession {
  const view = session.view();
  return { healthy: view.healthy, error: view.error, session: view };
}

function viewOnDisk(file: SessionFile): SessionView {
  const circumstances = { opening: false, alive: false, missingSecrets: file.secretNames };
  return viewSession(file, file.checkpoint ?? emptyFold(file.createdAt), circumstances);
}

async function checkDirectory(directory: string): Promise<string> {
  if (!isAbsolute(directory)) {
    throw new Failure("invalid_request", `The directory ${directory} is not an absolute path`, { directory });
  }
  // Whatever keeps us from seeing it, the agent could not work there either.
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory()) return directory;
  throw new Failure("invalid_request", `The directory ${directory} does not exist`, { directory });
}

/** Deleted between the index and the look at it. */
function goneIsNull(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}
