import { join } from "node:path";
import type {
  AgentOutput,
  FinishStatus,
  ImagePart,
  PrintModeEvent,
  PrintModeEventOf,
  RunState,
  TextPart,
} from "@muster/codebuff-protocol";
import {
  type AskPerson,
  CodebuffClient,
  type DecideTrust,
  type PageOptions,
  type PlannedRun,
  type RefusedRun,
  type Session,
  type SessionPage,
  type SessionStore,
  type SessionWriter,
  Snapshots,
  type Steering,
} from "@muster/codebuff-sdk";
import { type LiveMode, Terminal } from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import type { Io } from "../io.ts";
import { isPlan, type RunOptions, type Settings } from "../run-options.ts";
import { dollarsOfRun } from "../text/run-cost.ts";
import type { PersonEntry } from "../transcript/items.ts";
import { noteKinds } from "../transcript/replay.ts";
import { logUsage } from "../usage-log.ts";
import { checkBudget, checkRun } from "./check-run.ts";
import type { Manner } from "./manners.ts";
import { asCommandError, holdSession, isNotFound } from "./open-session.ts";
import type { QueuedPrompt } from "./prompt-queue.ts";
import { noteEvents } from "./session-notes.ts";
import { type Stop, type Stopper, tellTimeout } from "./stopper.ts";
import { UserTerminal } from "./user-terminal.ts";

export interface ConversationOptions {
  readonly options: RunOptions;
  readonly io: Io;
  readonly manner: Manner;
  readonly ask: AskPerson;
  /** Asked only where the manner says that somebody can be. */
  readonly trust?: DecideTrust;
}

/** What is sent to the model, and how. */
export interface Turn {
  readonly prompt: string;
  readonly content?: readonly (TextPart | ImagePart)[];
  readonly messageId: string;
  readonly settings: Settings;
  readonly agent?: string;
  readonly agentMode?: boolean;
  readonly stopper: Stopper;
  readonly steering: Steering;
}

export interface TurnEnd {
  readonly state: RunState;
  readonly output: AgentOutput;
  readonly status: FinishStatus;
  readonly stop: Stop | undefined;
  /** False when the run was refused before it began: there was no `start` and there is no `finish`. */
  readonly hasRun: boolean;
}

/** A conversation whose session is open. */
export interface OpenConversation {
  readonly conversation: Conversation;
  /** The agent and the model of the first run. */
  readonly planned: PlannedRun;
  readonly id: string;
  readonly historyLength: number;
  /** `--continue` named a session that is not there, and a new one was begun. */
  readonly contextLost: boolean;
}

/**
 * One conversation of this process as the SDK knows it: client, session file, terminals, snapshots. Screen, plain lines,
 * one prompt and a process that stays open all have it, each in its manner; it is their only way to a model.
 */
export class Conversation {
  readonly client: CodebuffClient;
  readonly #options: RunOptions;
  readonly #io: Io;
  readonly #manner: Manner;
  readonly #granted = new Set<string>();
  /** Of the run that goes on: what the person may switch in the middle of it. */
  #live: LiveMode | undefined;
  #user: UserTerminal | undefined;
  #terminal: Terminal;
  #sessionId: string | undefined;
  #session: Promise<Session> | undefined;
  /** What `--continue` names, until another session takes its place. */
  #held: Promise<SessionWriter> | undefined;
  #hasLostContext = false;
  /** By every run of this process: `--budget` limits the sum. */
  #spentUsd = 0;
  /** What the session has cost, also in earlier processes. */
  #sessionUsd = 0;
  #snapshots: Promise<Snapshots | undefined> | undefined;
  /** Why there is no undo, once somebody asked. */
  #noSnapshots: string | undefined;

  constructor({ options, io, manner, ask, trust }: ConversationOptions) {
    const { cwd, baseUrl, provider } = options;
    this.#options = options;
    this.#io = io;
    this.#manner = manner;
    const forThisRun: DecideTrust = () => "this run";
    const asked = { ask, trust: options.trust ? forThisRun : manner.trust ? trust : undefined };
    this.client = new CodebuffClient({
      cwd,
      baseUrl,
      provider,
      home: io.home,
      processEnv: { ...io.env },
      hooks: true,
      commands: true,
      ...asked,
    });
    this.#terminal = this.#newTerminal();
    if (manner.opens === "with its first prompt") this.#hold();
  }

  /** For a manner that opens at once. Throws what would refuse the first run; nothing has been written by then. */
  static async open(parts: ConversationOptions): Promise<OpenConversation> {
    const conversation = new Conversation(parts);
    const planned = await checkRun(conversation.client, parts.options);
    const { id, state } = await conversation.#openAtOnce();
    const historyLength = state.messageHistory?.length ?? 0;
    return { conversation, planned, id, historyLength, contextLost: conversation.#hasLostContext };
  }

  /** The person's own shell. */
  get user(): UserTerminal {
    this.#user ??= new UserTerminal({ root: this.#options.cwd, home: this.#io.home });
    return this.#user;
  }

  get store(): SessionStore {
    return this.client.sessions();
  }

  /** Undefined until something has been said. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The session when it is open; undefined when nothing has been said. */
  async session(): Promise<Session | undefined> {
    return this.#held === undefined ? this.#session : this.#resume(this.#held);
  }

  get terminal(): Terminal {
    return this.#terminal;
  }

  /** The id of what `--continue` names, which no other process writes from now on. Its end can be shown before it is read. */
  async continued(): Promise<string | undefined> {
    const writer = await this.#held;
    this.#sessionId ??= writer?.id;
    return writer?.id;
  }

  /** Leaves this conversation for another one of the project, or for a new one that begins with its first prompt. */
  async switchTo(id: string | undefined): Promise<Session | undefined> {
    const next = id === undefined ? undefined : await this.store.continue(id);
    const [session, terminal, snapshots] = [await this.session(), this.#terminal, await this.#snapshots];
    this.#held = undefined;
    this.#session = next === undefined ? undefined : Promise.resolve(next);
    this.#sessionId = id;
    this.#terminal = this.#newTerminal();
    this.#snapshots = undefined;
    if (session !== undefined) await this.client.leaveSession(session.id);
    await Promise.all([session?.close(), terminal.close(), snapshots?.close()]);
    return next;
  }

  /** The last entries of a session, or those before a place. */
  page(id: string, options: PageOptions): Promise<SessionPage> {
    return this.store.page(id, options);
  }

  /** Nothing is begun with a budget that could not be kept. */
  async checkBudget(): Promise<void> {
    if (this.#options.budgetUsd !== undefined) await checkBudget(this.client, this.#options);
  }

  /** The budget is used up, and the next prompt is not sent. */
  get isSpent(): boolean {
    return this.#manner.spentBudget === "not sent" && this.#budgetLeft() === 0;
  }

  /** What earlier processes spent in the session that was opened. */
  setSpent(usd: number): void {
    this.#sessionUsd = usd;
  }

  async contextWindowOf(model: string): Promise<number | undefined> {
    const models = await this.client.listModels();
    return models.find(({ id }) => id === model)?.contextWindow ?? (model === "" ? undefined : 200_000);
  }

  planRun(settings: Settings): Promise<PlannedRun | RefusedRun> {
    const { mode, model } = settings;
    return this.client.planRun({ agent: this.#options.agent, mode, model });
  }

  /** One run of a prompt as its events: the third part of its way (B-3). The next one is read when the last was taken. */
  async *run(turn: Turn): AsyncGenerator<PrintModeEvent, TurnEnd, void> {
    const { prompt, content, messageId, settings, stopper, steering, agentMode = false } = turn;
    const session = await this.#begin(settings);
    const { params, appendSystemPrompt, maxSteps, mcpServers, outputSchema, agentLocal } = this.#options;
    const { model, variant } = settings;
    const live = this.#liveOf(settings);
    this.#live = live;
    if (agentMode) await this.#logAgentMode(session.id);
    const costUntil = (finish: PrintModeEventOf<"finish">) => {
      this.#sessionUsd += dollarsOfRun(finish);
      return this.#sessionUsd;
    };
    const events = this.client.stream({
      prompt,
      content,
      messageId,
      agentMode: agentMode ? { local: agentLocal } : undefined,
      agent: turn.agent ?? this.#options.agent,
      mode: isPlan(settings) ? "PLAN" : settings.mode,
      permissions: live.permissions,
      live,
      model,
      variant,
      params: params === undefined ? undefined : { ...params },
      appendSystemPrompt,
      maxAgentSteps: maxSteps,
      mcpServers,
      outputSchema,
      budgetUsd: this.#budgetLeft(),
      session,
      terminal: this.#terminal,
      snapshots: this.#manner.snapshots ? await this.snapshots() : undefined,
      granted: this.#granted,
      steering,
      signal: stopper.signal,
      handleEvent: this.#manner.notes ? noteEvents(session, { agentMode, costUntil }) : undefined,
    });
    let status: FinishStatus | undefined;
    let finish: PrintModeEventOf<"finish"> | undefined;
    try {
      for (;;) {
        const next = await events.next();
        if (next.done) {
          const { value: state } = next;
          const hasRun = status !== undefined;
          if (finish !== undefined) yield { ...finish, entry: session.lastEntry };
          return { state, output: state.output, status: status ?? "failed", stop: stopper.reason, hasRun };
        }
        const { seq: _, ...event } = next.value;
        for (const told of tellTimeout(event, stopper.reason)) {
          if (told.type === "finish") {
            status = told.status ?? "completed";
            this.#spentUsd += dollarsOfRun(told);
            if (this.#manner.namesEntry) {
              finish = told;
              continue;
            }
          }
          yield told;
        }
      }
    } finally {
      if (this.#live === live) this.#live = undefined;
      await events.return({ output: { type: "error", message: "Nobody read to the end" } });
    }
  }

  /** Takes everything after an entry out of the conversation; undefined where there is no such entry. */
  async rewind(to: number): Promise<{ entry: number; messages: number } | undefined> {
    const session = await this.session();
    if (session === undefined || to > session.lastEntry) return undefined;
    const { messages } = await this.store.restore(session.id, { upTo: to });
    await session.rewind(to, messages);
    return { entry: session.lastEntry, messages: messages.length };
  }

  /** The next call of the run that goes on is judged by these settings. */
  switchPermissions(settings: Settings): void {
    if (this.#live !== undefined) Object.assign(this.#live, this.#liveOf(settings));
  }

  #liveOf(settings: Settings): LiveMode {
    const { permissions = this.#manner.unasked ?? "unattended" } = settings;
    return {
      writes: isPlan(settings) ? "denied" : "allowed",
      permissions: permissions === "plan" ? (this.#manner.unasked ?? "unattended") : permissions,
    };
  }

  async noteQueue(entries: readonly QueuedPrompt[], settings: Settings): Promise<void> {
    await (await this.#begin(settings)).note(noteKinds.queue, entries);
  }

  /** Kept only where there is a conversation: a command alone begins none. */
  async notePerson(entry: PersonEntry): Promise<void> {
    await (await this.session())?.note(noteKinds.person, entry);
  }

  /** Undefined where there can be none; `noSnapshots` says why. */
  snapshots(): Promise<Snapshots | undefined> {
    this.#snapshots ??= this.#openSnapshots();
    return this.#snapshots;
  }

  get noSnapshots(): string | undefined {
    return this.#noSnapshots;
  }

  async close(): Promise<void> {
    // Nobody who leaves waits until a long session is read.
    const writer = await this.#held?.catch(() => undefined);
    await writer?.close();
    if (this.#held === undefined) await (await this.#session)?.close();
    const snapshots = await this.#snapshots?.catch(() => undefined);
    await Promise.all([this.#terminal.close(), this.#user?.close(), this.client.close(), snapshots?.close()]);
  }

  #hold(): void {
    const { continues } = this.#options;
    this.#held = continues === undefined ? undefined : holdSession(this.store, continues);
    // Whoever asks for it is told why it failed.
    this.#held?.catch(() => undefined);
  }

  async #openAtOnce(): Promise<Session> {
    this.#hold();
    await this.#held?.catch((error: unknown) => {
      if (this.#manner.lostContext !== "begun anew" || !isNotFound(error)) throw error;
      this.#held = undefined;
      this.#hasLostContext = true;
    });
    return asCommandError(() => this.#begin(this.#options));
  }

  #budgetLeft(): number | undefined {
    const { budgetUsd } = this.#options;
    return budgetUsd === undefined ? undefined : Math.max(0, budgetUsd - this.#spentUsd);
  }

  async #logAgentMode(sessionId: string): Promise<void> {
    const { home, stderr } = this.#io;
    await logUsage(home, { event: "agent_mode", sessionId }).catch((error: unknown) => {
      if (this.#manner.failedUsageLog === "refuses the prompt") throw error;
      stderr.write(`codebuff: the usage log cannot be written: ${String(error)}\n`);
    });
  }

  #begin({ mode }: Pick<Settings, "mode">): Promise<Session> {
    if (this.#held !== undefined) return this.#resume(this.#held);
    return this.#open(async () => {
      const session = await this.store.begin({ id: this.#options.sessionId, mode });
      this.#sessionId = session.id;
      return session;
    });
  }

  /** Reads what the model knew in the session that is held. */
  #resume(held: Promise<SessionWriter>): Promise<Session> {
    return this.#open(async () => {
      const session = await this.store.continueWith(await held);
      this.#sessionId = session.id;
      return session;
    });
  }

  /** Once; after a failure the next prompt tries again. */
  #open(open: () => Promise<Session>): Promise<Session> {
    this.#session ??= open().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  async #openSnapshots(): Promise<Snapshots | undefined> {
    const session = this.#sessionId;
    if (session === undefined) return undefined;
    const directory = join(this.#io.home, ".codebuff", "snapshots");
    try {
      return await Snapshots.open({ root: this.#options.cwd, session, directory });
    } catch (error) {
      // Without git, in the home directory, in `/`: the conversation works, undo does not.
      this.#noSnapshots = messageOf(error);
      return undefined;
    }
  }

  #newTerminal(): Terminal {
    const stateDirectory = this.#manner.keepsTerminals ? join(this.#io.home, ".codebuff", "terminals") : undefined;
    return new Terminal({ root: this.#options.cwd, stateDirectory });
  }
}
