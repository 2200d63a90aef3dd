import { createHash, randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Adapter } from "@muster/adapters";
import { messageOf } from "@muster/core";
import { SerialQueues, syncDirectory } from "@muster/node";
import type {
  AgentError,
  CreatedSession,
  CreateSession,
  ForkSession,
  HandedOver,
  HandOver,
  Query,
  Session as SessionView,
} from "@muster/schema";
import { Failure } from "@muster/schema/wire";
import type { Agents } from "./agents.ts";
import { emptyFold } from "./fold.ts";
import { makeForkFolder } from "./fork-sessions.ts";
import { holdsSecret } from "./secrets/secret-names.ts";
import { type Secrets, secretNames, splitSecrets, withoutSecrets } from "./secrets/secrets.ts";
import { isTooLong } from "./session/hand-over/digest.ts";
import { OngoingWork } from "./session/life/ongoing-work.ts";
import { Session } from "./session/session.ts";
import type { SessionServices } from "./session/session-services.ts";
import { SessionSettings } from "./session/state/session-settings.ts";
import { hasRoom } from "./store/durable-file.ts";
import { createSessionFile, readSessionFile, type SessionFile, writeSessionFile } from "./store/session-file.ts";
import { type IndexEntry, SessionIndex } from "./store/session-index.ts";
import { StoredSessions } from "./stored-sessions.ts";

export interface SessionsOptions extends SessionServices {
  agents: Agents;
  /** Where an agent works when the create body does not say. */
  defaultDirectory: string;
  retainDays?: number;
}

type Creation = CreatedSession & { created: boolean };

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
  readonly #work: OngoingWork;
  readonly #stored: StoredSessions;
  /** Clients can see what happens: messages that wait may be given. */
  #hasBegun = false;
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#stored = new StoredSessions(options.layout, options.log);
    this.#index = new SessionIndex(options.layout);
    this.#work = new OngoingWork(options.log);
  }

  /** Where the files lie that came with messages of a session, if any did. */
  attachmentsFolder(sessionId: string): string {
    return this.#options.layout.attachments(sessionId);
  }

  get loaded(): Iterable<Session> {
    return [...this.#loaded.values()].map(({ session }) => session);
  }

  /**
   * The same id and body again gives the same session; `created` tells which it was. A session whose agent never started
   * may be asked for again with anything: it is set up anew and tried once more.
   */
  async create(sessionId: string, body: CreateSession, { reuse = false } = {}): Promise<Creation> {
    return this.#queues.run(sessionId, async () => {
      this.#mustBeOpen();
      const adapter = this.#options.agents.adapter(body.agent);
      const digest = createHash("sha256")
        .update(JSON.stringify(withoutSecrets(body)))
        .digest("base64url");
      if (!reuse && (await this.#stored.isDeleted(sessionId))) {
        const remedy = "reuse=true takes its id again";
        throw new Failure("session_deleted", `The session ${sessionId} was deleted; ${remedy}`, {
          sessionId,
          status: 409,
        });
      }
      const existing = await this.#stored.find(sessionId);
      const old = existing && (await this.#load(sessionId, existing));
      if (old && !old.isUnstarted) {
        if (existing.digest === digest) return { ...createdAnswer(old), created: false };
        const differing = differingSettings(existing, body);
        const which = differing.length === 0 ? "" : `: ${differing.join(", ")}`;
        const told = `The session ${sessionId} exists with other settings${which}`;
        throw new Failure("session_exists", told, { sessionId, differing });
      }
      if (body.baseUrl !== undefined) checkAddress(body.baseUrl);
      const { plain, secrets } = splitSecrets(body);
      const { token: _, validateToken, dangerouslySkipPermissions, ...settings } = body;
      const permissionMode = dangerouslySkipPermissions ? "bypass" : (body.permissionMode ?? "default");
      const directory = await checkDirectory(body.directory ?? this.#options.defaultDirectory);
      const stored = { ...settings, ...plain, permissionMode, directory };
      const env = { ...plain.env, ...secrets.env };
      await adapter.check({ ...body, env, mcp: { ...plain.mcp, ...secrets.mcp }, permissionMode, directory });
      const createdAt = existing?.createdAt ?? new Date().toISOString();
      const file: SessionFile = {
        format: 1,
        sessionId,
        createdAt,
        settings: stored,
        digest,
        secretNames: secretNames(secrets),
      };
      const session = old
        ? await this.#makeAnew(old, file, adapter, secrets)
        : await this.#make(file, adapter, secrets);
      if (reuse) await this.#stored.forgetDeleted(sessionId);
      this.#loaded.set(sessionId, { session, usedAt: Date.now() });
      this.#index.put({ ...entryOf(session), updatedAt: createdAt });
      const verdict = validateToken ? await this.#options.agents.checkToken(body) : undefined;
      if (verdict === "refused") await session.refuse(tokenRefused);
      else await session.start();
      const created = existing?.digest !== digest;
      return { ...createdAnswer(session), validated: verdict && verdict !== "unknown", created };
    });
  }

  /** Sessions that go on from a turn of this one. `mayMake` throws for an id that whoever asks may not have. */
  async fork(
    sourceId: string,
    body: ForkSession,
    mayMake: (sessionId: string, agent: string) => void,
  ): Promise<CreatedSession[]> {
    const { times = 1, at, directory } = body;
    const source = await this.get(sourceId);
    const made: CreatedSession[] = [];
    const first = body.sessionId ?? `${sourceId.slice(0, 100)}-fork-${randomBytes(3).toString("hex")}`;
    const ids = Array.from({ length: times }, (_, index) => numbered(first, index));
    for (const sessionId of ids) mayMake(sessionId, source.file.settings.agent);
    if (directory !== undefined) await mustBeNew(times, directory);
    if (body.worktree && directory === undefined) {
      throw new Failure("invalid_request", "A worktree needs a directory of its own: give directory");
    }
    for (const [index, sessionId] of ids.entries()) {
      const into = directory === undefined ? undefined : numbered(directory, index);
      made.push(await this.#fork(source, { sessionId, at, into, worktree: body.worktree ?? false }));
    }
    return made;
  }

  async #fork(
    source: Session,
    {
      sessionId,
      at,
      into,
      worktree,
    }: { sessionId: string; at: number | undefined; into: string | undefined; worktree: boolean },
  ): Promise<CreatedSession> {
    const { layout, agents } = this.#options;
    return this.#queues.run(sessionId, async () => {
      this.#mustBeOpen();
      if (await this.#stored.isDeleted(sessionId)) {
        throw new Failure("session_deleted", `The session ${sessionId} was deleted`, { sessionId, status: 409 });
      }
      if (await this.#stored.find(sessionId)) {
        throw new Failure("session_exists", `The session ${sessionId} exists`, { sessionId });
      }
      const turn = source.forkTurn(at);
      if (into !== undefined) await source.makeDirectory({ turn, into, as: sessionId, worktree });
      try {
        const { settings, secretNames: names, ancestors = [] } = source.file;
        const directory = into ?? settings.directory;
        const prepared = await source.prepareFork(turn, directory);
        const file: SessionFile = {
          format: 1,
          sessionId,
          createdAt: new Date().toISOString(),
          settings: { ...settings, directory },
          digest: `fork of ${source.sessionId} ${randomBytes(8).toString("hex")}`,
          secretNames: names,
          ancestors: [...ancestors, source.sessionId],
        };
        await makeForkFolder(layout, source, { file, prepared });
        const stored = await this.#stored.get(sessionId);
        const options = { secrets: source.secrets, isHeld: true };
        const session = await Session.open(this.#options, agents.adapter(settings.agent), stored, options);
        this.#loaded.set(sessionId, { session, usedAt: Date.now() });
        await session.recover("daemon_restarted");
        session.resumeQueue();
        this.#index.put(entryOf(session));
        return createdAnswer(session);
      } catch (error) {
        if (into !== undefined) await rm(into, { recursive: true, force: true });
        throw error;
      }
    });
  }

  /** Another agent goes on with the session. */
  async handOver(sessionId: string, body: HandOver): Promise<HandedOver> {
    return this.#queues.run(sessionId, async () => {
      this.#mustBeOpen();
      const { layout, agents, redactor, host, prepareGateway } = this.#options;
      const old = await this.#load(sessionId, await this.#stored.get(sessionId));
      const from = old.file.settings.agent;
      if (body.agent === from) throw new Failure("invalid_request", `${from} works in the session already`);
      const adapter = agents.adapter(body.agent);
      const history = await old.history(body.foreignCalls ?? "calls");
      const {
        agentOptions: _,
        agentVersion: __,
        agentMode: ___,
        variant: ____,
        baseUrl: _____,
        ...kept
      } = old.file.settings;
      const { token: ______, ...others } = old.secrets;
      const { env, mcp } = others;
      const secrets: Secrets = { ...others, ...(body.token === undefined ? {} : { token: body.token }) };
      const settings = { ...kept, agent: body.agent, model: body.model, baseUrl: body.baseUrl };
      const secretEnv = { ...settings.env, ...env };
      await adapter.check({ ...settings, env: secretEnv, mcp: { ...settings.mcp, ...mcp } });
      const file: SessionFile = { ...old.file, settings, checkpoint: undefined, secretNames: secretNames(secrets) };
      const path = layout.sessionFile(sessionId);
      const isImported = adapter.importHistory !== undefined && !isTooLong(history);
      await old.terminate();
      let nativeSessionId: string | undefined;
      if (isImported && history.entries.length > 0) {
        if (adapter.capabilities.gateway) await prepareGateway();
        const settingsOfNext = new SessionSettings({ path, adapter, file, secrets, daemonRedactor: redactor });
        const options = settingsOfNext.openOptions(emptyFold(file.createdAt));
        const imported = await adapter.importHistory?.(host, options, history).catch((error: unknown) => {
          throw new Failure("cannot_hand_over", `${adapter.name} did not take the conversation: ${messageOf(error)}`, {
            sessionId,
          });
        });
        nativeSessionId = imported?.nativeSessionId;
      }
      const how = isImported ? "imported" : "digest";
      const { notCarried } = history;
      const data = { from, to: body.agent, model: body.model, how, notCarried, nativeSessionId } as const;
      const log = await old.retire();
      const after = log.lastSequence;
      this.#loaded.delete(sessionId);
      const next: SessionFile = { ...file, pendingEvent: { after, body: { type: "agent.changed", data } } };
      await writeSessionFile(path, next).catch(async (error: unknown) => {
        await log.close();
        throw error;
      });
      const held = { secrets, wasActive: true, isHeld: true, log };
      const session = await Session.open(this.#options, adapter, next, held);
      this.#loaded.set(sessionId, { session, usedAt: Date.now() });
      await session.recover("daemon_restarted");
      session.resumeQueue();
      this.#index.put(entryOf(session));
      await session.start();
      return { how, notCarried };
    });
  }

  /** The session at work, restored from disk if needed. */
  async get(sessionId: string): Promise<Session> {
    const loaded = this.#loaded.get(sessionId);
    if (loaded) loaded.usedAt = Date.now();
    if (loaded && !loaded.session.log.failed) return loaded.session;
    return this.#queues.run(sessionId, async () => this.#load(sessionId, await this.#stored.get(sessionId)));
  }

  /** A session in memory that can be written; every one whose agent runs is. */
  atWork(sessionId: string): Session | undefined {
    const session = this.#loaded.get(sessionId)?.session;
    return session?.log.failed ? undefined : session;
  }

  /** The agent of a session that is in memory, as every one is that has something to tell. */
  agentOf(sessionId: string): string | undefined {
    return this.#loaded.get(sessionId)?.session.view().agent;
  }

  /** A session as clients see it; one that rests on disk stays there. */
  async view(sessionId: string): Promise<SessionView> {
    try {
      const resting = this.#loaded.has(sessionId) ? undefined : await this.#stored.view(sessionId);
      return resting ?? (await this.get(sessionId)).view();
    } catch (error) {
      if (error instanceof Failure && error.code === "session_unreadable")
        return this.#stored.viewUnreadable(sessionId);
      throw error;
    }
  }

  /** `isSeen` leaves out what whoever asks may not see. */
  async list(
    { after, limit = 100, order, search, ...wanted }: Query<"sessions.list">,
    isSeen: (session: Pick<SessionView, "sessionId" | "agent">) => boolean = () => true,
  ) {
    const entries = await this.#inOrder(order, after);
    if (!entries) throw new Failure("invalid_request", `There is no session ${after} to list after`, { after });
    const words = wordsIn(search);
    const ids: string[] = [];
    for (const entry of entries) {
      const now = this.#loaded.get(entry.sessionId)?.session.view() ?? entry;
      if (isLike(now, wanted) && isSeen(now) && (await this.#hasWords(now, words))) ids.push(entry.sessionId);
      if (ids.length > limit) break;
    }
    const found = await Promise.all(ids.slice(0, limit).map((sessionId) => this.view(sessionId).catch(nullIfDeleted)));
    return { sessions: found.filter((session) => session !== null), hasMore: ids.length > limit };
  }

  /** The index knows no names: a session at rest is looked at, but not where id and directory have the words already. */
  async #hasWords(known: Searched, words: readonly string[]): Promise<boolean> {
    if (hasAll(known, words)) return true;
    if (this.#loaded.has(known.sessionId)) return false;
    const view = await this.view(known.sessionId).catch(nullIfDeleted);
    return view !== null && hasAll(view, words);
  }

  /** Kills the agent, ends the readers, removes the log. The id stays deleted. */
  async delete(sessionId: string): Promise<void> {
    this.#loaded.get(sessionId)?.session.refuseWork();
    await this.#queues.run(sessionId, async () => {
      await this.#stored.get(sessionId).catch(ignoreUnreadable);
      await this.#remove(sessionId);
    });
  }

  /**
   * Before listening: what a dead daemon left open is closed. Only sessions with an active file are looked at, and of
   * that only the name; the others are brought in order when somebody asks for them.
   */
  async recover(): Promise<number> {
    const { layout, log } = this.#options;
    // Of forks that a kill cut short.
    await rm(layout.forks, { recursive: true, force: true });
    for (const name of await readdir(layout.active)) {
      const path = join(layout.active, name);
      try {
        const isOurs = name.endsWith(".json");
        const file = isOurs ? await readSessionFile(layout.fileOfActive(name)) : undefined;
        if (file && !(await this.#stored.isDeleted(file.sessionId))) await this.#load(file.sessionId, file);
        else await rm(path, { force: true });
      } catch (error) {
        log("error", "a session could not be recovered", { path, error: String(error) });
      }
    }
    return this.#loaded.size;
  }

  /** After listening: messages that wait are given, and the slow work of a start is done. */
  begin(): void {
    this.#hasBegun = true;
    for (const session of this.loaded) session.resumeQueue();
    this.#work.background("read the session index", this.#index.load());
    this.#repeat("drop cold sessions", sweepMs, () => this.#sweep());
    if (this.#options.retainDays === undefined) return;
    const remove = () => this.#retain();
    this.#work.background("remove old sessions", remove());
    this.#repeat("remove old sessions", retainMs, remove);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const session of this.loaded) session.refuseWork();
    await this.#work.end();
    await this.#queues.idle();
    await Promise.all([...this.loaded].map((session) => this.#close(session)));
    for (const { session } of this.#loaded.values()) this.#remember(session);
    await this.#index.close();
  }

  /** One session that cannot be closed keeps no other from it. */
  async #close(session: Session): Promise<void> {
    await session.close().catch((error: unknown) => {
      const { sessionId } = session;
      this.#options.log("error", "a session could not be closed", { sessionId, error: String(error) });
    });
  }

  /** The first files of a session; a disk that cannot hold them is left as it was. */
  async #make(file: SessionFile, adapter: Adapter, secrets: Secrets): Promise<Session> {
    const { layout } = this.#options;
    // None of these needs the others, and all wait for the disk.
    const opening = Session.open(this.#options, adapter, file, { secrets });
    const [written, opened, marked] = await Promise.allSettled([
      createSessionFile(layout.sessionFile(file.sessionId), file),
      opening,
      opening.then((session) => session.expectAgent()),
    ]);
    const failed = [written, opened, marked].find((result) => result.status === "rejected");
    if (opened.status === "fulfilled" && !failed) return opened.value;
    if (opened.status === "fulfilled") await opened.value.destroy();
    await rm(layout.session(file.sessionId), { recursive: true, force: true });
    throw failed?.reason;
  }

  /** Other settings for a session that never began. Its log goes on, so that no number is given out twice. */
  async #makeAnew(old: Session, file: SessionFile, adapter: Adapter, secrets: Secrets): Promise<Session> {
    const { layout } = this.#options;
    const checkpoint = old.blankCheckpoint();
    this.#loaded.delete(file.sessionId);
    await old.close();
    await writeSessionFile(layout.sessionFile(file.sessionId), { ...file, checkpoint });
    return await Session.open(this.#options, adapter, { ...file, checkpoint }, { secrets });
  }

  /** Whatever a session did when it was last written: once it is loaded, nothing of it is cut short any more. */
  async #load(sessionId: string, file: SessionFile): Promise<Session> {
    const { layout, agents, log } = this.#options;
    const old = this.#loaded.get(sessionId)?.session;
    if (old && !(old.log.failed && (await hasRoom(layout.session(sessionId))))) return old;
    this.#mustBeOpen();
    const adapter = agents.adapter(file.settings.agent);
    await old?.close();
    const wasActive = await stat(layout.activeFile(sessionId)).then(...isThere);
    const held = { secrets: old?.secrets, wasActive, isHeld: true };
    const session = await Session.open(this.#options, adapter, file, held).catch((error: unknown) =>
      this.#stored.refuse(sessionId, error),
    );
    this.#loaded.set(sessionId, { session, usedAt: Date.now() });
    try {
      await session.recover(old ? "storage_full" : "daemon_restarted");
    } catch (error) {
      // It can be read; it is loaded anew once the disk takes something again.
      log("error", "a session could not be recovered", { sessionId, error: String(error) });
    }
    if (this.#hasBegun) session.resumeQueue();
    return session;
  }

  async #remove(sessionId: string): Promise<void> {
    const { layout } = this.#options;
    // On a full disk there is room for the mark only once the log is gone.
    const isMarked = await this.#stored.markDeleted(sessionId).then(...isThere);
    const session = this.#loaded.get(sessionId)?.session;
    this.#loaded.delete(sessionId);
    await session?.destroy();
    await rm(layout.session(sessionId), { recursive: true, force: true });
    await syncDirectory(layout.sessions);
    if (!isMarked) await this.#stored.markDeleted(sessionId);
    this.#index.remove(sessionId);
  }

  /** Drops sessions from memory that do nothing and that nobody reads. */
  async #sweep(): Promise<void> {
    const before = Date.now() - coldMs;
    for (const [sessionId, entry] of this.#loaded) {
      if (this.#isClosed) return;
      this.#remember(entry.session);
      if (entry.session.log.failed) {
        // Nobody may ask for it again, but its readers wait for the end of what was cut short.
        await this.get(sessionId).catch((error: unknown) => this.#dropRemoved(entry.session, error));
        continue;
      }
      const isUnused = () => entry.usedAt < before && entry.session.isCold && entry.session.log.readerCount === 0;
      if (!isUnused()) continue;
      await this.#queues.run(sessionId, async () => {
        if (!isUnused()) return;
        this.#loaded.delete(sessionId);
        await entry.session.close();
      });
    }
  }

  /** Its files were taken away under us: there is nothing to write to any more, and nothing to go on with. */
  async #dropRemoved(session: Session, error: unknown): Promise<void> {
    if (!(error instanceof Failure && error.code === "session_not_found")) throw error;
    this.#loaded.delete(session.sessionId);
    this.#index.remove(session.sessionId);
    await session.close();
  }

  async #inOrder(order: Query<"sessions.list">["order"], after: string | undefined) {
    switch (order) {
      case undefined:
      case "created":
        return await this.#index.after(after);
      case "used":
      case "updated":
        return await this.#lastUsed(after);
      case "waiting":
        return await this.#waitingFirst(after);
    }
  }

  /** The index hears of a session now and then; one in memory knows when it was used. */
  async #lastUsed(after: string | undefined): Promise<Iterable<IndexEntry> | undefined> {
    await this.#index.load();
    for (const sessionId of this.#index.unsure) {
      // One that went away meanwhile, or cannot be read, keeps the time it has.
      const view = await this.view(sessionId).catch(nullIfDeleted);
      if (view) this.#index.put(entryOfView(view));
    }
    for (const session of this.loaded) this.#index.refresh(entryOf(session));
    return this.#index.lastUsed(after);
  }

  /** Whoever waits for a person is in memory: a request ends with the life that asked. */
  async #waitingFirst(after: string | undefined): Promise<Iterable<IndexEntry> | undefined> {
    const views = [...this.loaded].map((session) => session.view()).filter(({ state }) => state === "waiting");
    const waiting = views.sort((one, other) => (one.lastUsedAt < other.lastUsedAt ? 1 : -1)).map(entryOfView);
    const at = waiting.findIndex(({ sessionId }) => sessionId === after);
    const rest = await this.#lastUsed(at === -1 ? after : undefined);
    if (rest === undefined) return undefined;
    const first = after === undefined || at !== -1 ? waiting.slice(at + 1) : [];
    return inTurn(first, rest, new Set(waiting.map(({ sessionId }) => sessionId)));
  }

  #remember(session: Session): void {
    this.#index.put(entryOf(session));
  }

  async #retain(): Promise<void> {
    const { retainDays, log } = this.#options;
    if (retainDays === undefined) return;
    const oldest = new Date(Date.now() - retainDays * 86_400_000).toISOString();
    const isOver = (view: SessionView) => view.updatedAt < oldest && isIdle(view);
    for (const { sessionId, updatedAt } of [...((await this.#index.after(undefined)) ?? [])]) {
      if (this.#isClosed) return;
      if (updatedAt >= oldest) continue;
      try {
        if (!isOver(await this.view(sessionId))) continue;
        await this.#queues.run(sessionId, async () => {
          const now = this.#loaded.get(sessionId)?.session.view();
          if (now && !isOver(now)) return;
          await this.#remove(sessionId);
          log("info", "removed an old session", { sessionId, updatedAt });
        });
      } catch (error) {
        log("error", "an old session could not be removed", { sessionId, error: String(error) });
      }
    }
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Failure("shutting_down", "The daemon is shutting down");
    // Opening a log mends its end: nothing for a daemon that may not write any more.
    this.#options.fence.check();
  }

  #repeat(what: string, everyMs: number, work: () => Promise<void>): void {
    this.#timers.push(setInterval(() => this.#work.background(what, work()), everyMs).unref());
  }
}

const tokenRefused: AgentError = { type: "token_error", message: "The provider refuses the agent's token" };

/** As it will be once it rests. */
function entryOf(session: Session): IndexEntry {
  return entryOfView(session.view());
}

function entryOfView({
  sessionId,
  createdAt,
  updatedAt,
  lastUsedAt,
  state,
  agent,
  directory,
}: SessionView): IndexEntry {
  const resting = state === "ended" || state === "unreadable" ? state : "asleep";
  return { sessionId, createdAt, updatedAt, lastUsedAt, state: resting, agent, directory };
}

/** The first ones, then the others. */
function* inTurn(first: readonly IndexEntry[], rest: Iterable<IndexEntry>, told: ReadonlySet<string>) {
  yield* first;
  for (const entry of rest) if (!told.has(entry.sessionId)) yield entry;
}

type Wanted = Pick<Query<"sessions.list">, "state" | "agent" | "directory">;

function isLike(session: Pick<SessionView, keyof Wanted>, { state, agent, directory }: Wanted): boolean {
  if (state !== undefined && session.state !== state) return false;
  return (agent ?? session.agent) === session.agent && (directory ?? session.directory) === session.directory;
}

function wordsIn(search = ""): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

function hasAll({ sessionId, directory, name = "" }: Searched, words: readonly string[]): boolean {
  const text = `${name}\n${sessionId}\n${directory}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

type Searched = Pick<SessionView, "sessionId" | "directory" | "name">;

/** The names of what is asked for and was not, or the other way round. Of secrets only the names can be compared. */
function differingSettings({ settings, secretNames: known }: SessionFile, body: CreateSession): string[] {
  const had = new Map<string, unknown>(Object.entries({ ...settings, secretNames: [...known].sort() }));
  const asked = new Map<string, unknown>(Object.entries(withoutSecrets(body)));
  if (asked.get("dangerouslySkipPermissions") === true) asked.set("permissionMode", "bypass");
  asked.delete("dangerouslySkipPermissions");
  const names = [...new Set([...had.keys(), ...asked.keys()])];
  const isSame = (name: string) => JSON.stringify(had.get(name)) === JSON.stringify(asked.get(name));
  // A default that nobody asked for is no difference.
  const isDefault = (name: string) => settledByUs.has(name) && asked.get(name) === undefined;
  const differing = names.filter((name) => !isSame(name) && !isDefault(name));
  return differing.map((name) => (name === "secretNames" ? "secrets" : name));
}

const settledByUs: ReadonlySet<string> = new Set(["directory", "permissionMode", "env", "mcp"]);

/** An address is stored and shown; a key that stood in it would be too. */
function checkAddress(baseUrl: string): void {
  if (!holdsSecret(baseUrl)) return;
  throw new Failure("invalid_request", "baseUrl holds a password or a key: give that as token");
}

function createdAnswer(session: Session): CreatedSession {
  const view = session.view();
  return { healthy: view.healthy, error: view.error, session: view };
}

/** Nothing of it is under way and nobody is waited for: it ended, or is idle. */
function isIdle({ state, queued }: SessionView): boolean {
  return queued === 0 && (state === "ended" || state === "idle" || state === "asleep");
}

const isThere = [() => true, () => false] as const;

/** Whoever deletes a session does not need its file. */
function ignoreUnreadable(error: unknown): void {
  if (!(error instanceof Failure && error.code === "session_unreadable")) throw error;
}

/** The first keeps its name; the others are numbered. */
function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}

/** A directory that is there already is somebody's. */
async function mustBeNew(times: number, directory: string): Promise<void> {
  if (!isAbsolute(directory)) {
    throw new Failure("invalid_request", `The directory ${directory} is not an absolute path`, { directory });
  }
  for (let index = 0; index < times; index++) {
    const path = numbered(directory, index);
    const names = await readdir(path).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? [] : [path]));
    if (names.length === 0) continue;
    throw new Failure("invalid_request", `The directory ${path} is there already`, { directory: path });
  }
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
function nullIfDeleted(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}
