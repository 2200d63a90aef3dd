import { join } from "node:path";
import type { ImagePart, PrintModeEvent, RunState, TextPart } from "@muster/codebuff-protocol";
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
} from "@muster/codebuff-sdk";
import { Terminal } from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import { UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import type { RunOptions, Settings } from "../run-options.ts";
import { dollarsOfRun } from "../text/run-cost.ts";
import type { PersonEntry } from "../transcript/items.ts";
import { mustBeNoted, noteKinds } from "../transcript/replay.ts";
import { logUsage } from "../usage-log.ts";
import { JoinedThoughts } from "./joined-thoughts.ts";
import { holdSession } from "./open-session.ts";
import type { QueuedPrompt } from "./prompt-queue.ts";
import type { StreamingContext } from "./streaming-context.ts";
import { UserTerminal } from "./user-terminal.ts";

export interface ConversationOptions {
  readonly options: RunOptions;
  readonly io: Io;
  readonly ask: AskPerson;
  readonly trust: DecideTrust;
}

/** What is sent to the model, and how. */
export interface Turn {
  readonly prompt: string;
  readonly content: readonly (TextPart | ImagePart)[];
  readonly messageId: string;
  readonly settings: Settings;
  readonly agent?: string;
  readonly agentMode?: boolean;
  /** What may still be spent. */
  readonly budgetUsd?: number;
}

/** The person's conversation as the SDK knows it: client, session file, terminals, snapshots. The screen's only way to a model. */
export class Conversation {
  readonly client: CodebuffClient;
  readonly user: UserTerminal;
  readonly #options: RunOptions;
  readonly #io: Io;
  readonly #granted = new Set<string>();
  #terminal: Terminal;
  #sessionId: string | undefined;
  #session: Promise<Session> | undefined;
  /** What `--continue` names, until another session takes its place. */
  #held: Promise<SessionWriter> | undefined;
  /** What the session has cost, also in earlier processes. */
  #usd = 0;
  #snapshots: Promise<Snapshots | undefined> | undefined;
  /** Why there is no undo, once somebody asked. */
  #noSnapshots: string | undefined;

  constructor({ options, io, ask, trust }: ConversationOptions) {
    const { cwd, baseUrl, provider } = options;
    this.#options = options;
    this.#io = io;
    this.client = new CodebuffClient({ cwd, baseUrl, provider, home: io.home, processEnv: { ...io.env }, ask, trust });
    this.user = new UserTerminal({ root: cwd, home: io.home });
    this.#terminal = this.#newTerminal();
    this.#held = options.continues === undefined ? undefined : holdSession(this.store, options.continues);
    // Whoever asks for it is told why it failed.
    this.#held?.catch(() => undefined);
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
    await Promise.all([session?.close(), terminal.close(), snapshots?.close()]);
    return next;
  }

  /** The last entries of a session, or those before a place. */
  page(id: string, options: PageOptions): Promise<SessionPage> {
    return this.store.page(id, options);
  }

  /** Nothing is begun with a budget that could not be kept. */
  async checkBudget(): Promise<void> {
    const { budgetUsd, agent, mode, model } = this.#options;
    if (budgetUsd === undefined) return;
    const planned = await this.client.planRun({ agent, mode, model });
    if ("refusal" in planned || planned.hasPrice) return;
    throw new UsageError(`--budget cannot be kept: nobody knows the price of ${planned.model}`);
  }

  /** What earlier processes spent in the session that was opened. */
  setSpent(usd: number): void {
    this.#usd = usd;
  }

  async contextWindowOf(model: string): Promise<number | undefined> {
    const models = await this.client.listModels();
    return models.find(({ id }) => id === model)?.contextWindow ?? (model === "" ? undefined : 200_000);
  }

  planRun(settings: Settings): Promise<PlannedRun | RefusedRun> {
    const { mode, model } = settings;
    return this.client.planRun({ agent: this.#options.agent, mode, model });
  }

  /** One run of a prompt: the third part of its way (B-3). */
  async run(turn: Turn, context: StreamingContext): Promise<RunState> {
    const session = await this.#begin(turn.settings);
    const { params, appendSystemPrompt, maxSteps, mcpServers, outputSchema, agentLocal } = this.#options;
    const { permissions = "default", mode, model, variant } = turn.settings;
    if (turn.agentMode === true) await logUsage(this.#io.home, { event: "agent_mode", sessionId: session.id });
    const thoughts = new JoinedThoughts();
    const note = (event: PrintModeEvent) => {
      if (event.type === "finish") this.#usd += dollarsOfRun(event);
      for (const one of thoughts.take(event)) {
        if (!mustBeNoted(one, { agentMode: turn.agentMode === true })) continue;
        const noted = one.type === "finish" ? { ...one, sessionUsd: this.#usd } : one;
        // A full disk is told by the run itself, which writes to the same file.
        void session.note(noteKinds.event, noted).catch(() => undefined);
      }
    };
    return this.client.run({
      prompt: turn.prompt,
      content: turn.content,
      messageId: turn.messageId,
      agentMode: turn.agentMode === true ? { local: agentLocal } : undefined,
      agent: turn.agent ?? this.#options.agent,
      mode: permissions === "plan" ? "PLAN" : mode,
      permissions: permissions === "plan" ? undefined : permissions,
      model,
      variant,
      params: params === undefined ? undefined : { ...params },
      appendSystemPrompt,
      maxAgentSteps: maxSteps,
      mcpServers,
      outputSchema,
      budgetUsd: turn.budgetUsd,
      session,
      terminal: this.#terminal,
      snapshots: await this.snapshots(),
      granted: this.#granted,
      steering: context.steering,
      signal: context.stopper.signal,
      handleEvent: (event) => {
        note(event);
        context.handleEvent(event);
      },
      handleStreamChunk: context.handleStreamChunk,
    });
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
    await Promise.all([this.#terminal.close(), this.user.close(), this.client.close(), snapshots?.close()]);
  }

  #begin({ mode }: Settings): Promise<Session> {
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
    const { cwd } = this.#options;
    return new Terminal({ root: cwd, stateDirectory: join(this.#io.home, ".codebuff", "terminals") });
  }
}
