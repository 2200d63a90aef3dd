import { randomUUID } from "node:crypto";
import type { RunState } from "@muster/codebuff-protocol";
import type { BlockContext } from "../blocks/block-context.ts";
import { loadHighlighter } from "../blocks/highlight.ts";
import { askPersonWith, decideTrustWith } from "../dialogs/ask-person.ts";
import { DialogStack } from "../dialogs/dialog-stack.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Settings } from "../headless/headless-session.ts";
import { Attachments } from "../input/attachments.ts";
import { PromptQueue, type QueuedPrompt } from "../input/prompt-queue.ts";
import type { Io } from "../io.ts";
import type { Conversation } from "../run/conversation.ts";
import type { StreamingContext } from "../run/streaming-context.ts";
import type { RunOptions } from "../run-options.ts";
import { type Look, type Theme, type ThemeName, themeFor } from "../screen/theme.ts";
import { fold } from "../transcript/fold.ts";
import type { Entry, Item, PersonEntry, Tone } from "../transcript/items.ts";
import { foldPlan, noPlan, type Plan } from "../transcript/plan.ts";
import type { TerminalCommand } from "../transcript/shown-prompt.ts";
import type { ChatFace, SentPrompt } from "./chat-face.ts";

/** How a front end of the chat shows it: the screen, or plain lines. */
export interface ChatView {
  /** The transcript has grown; at most 30 times a second something is painted. */
  transcriptChanged(): void;
  /** Anything else: a dialog, the queue, the settings. */
  changed(): void;
  notify(title: string): void;
  edit(text: string): Promise<string | undefined>;
  copy(text: string): void;
  openPage(): void;
}

export interface ChatOptions {
  readonly options: RunOptions;
  readonly io: Io;
  readonly look: Look;
  readonly view: (chat: Chat) => ChatView;
}

/** The state of one chat and what can be done with it; it knows nothing of terminals. */
export class Chat implements ChatFace {
  readonly options: RunOptions;
  readonly io: Io;
  readonly dialogs: DialogStack;
  readonly attachments = new Attachments();
  readonly queue: PromptQueue;
  settings: Settings;
  spentUsd = 0;
  lastState: RunState | undefined;
  themeName: ThemeName = "dark";
  readonly #view: ChatView;
  readonly #look: Look;
  #theme: Theme;
  #items: readonly Item[] = [];
  #plan: Plan = noPlan;
  #conversation: Promise<Conversation> | undefined;
  #run: StreamingContext | undefined;
  /** A prompt is on its way from Enter to its run. */
  #isBusy = false;
  #isAgentMode = false;
  #contextWindow: number | undefined;
  #commands: TerminalCommand[] = [];
  #exit: ((code: number) => void) | undefined;
  readonly #ended: Promise<number>;

  constructor({ options, io, look, view }: ChatOptions) {
    const { mode, model, variant, permissions } = options;
    this.options = options;
    this.io = io;
    this.settings = { mode, model, variant, permissions };
    this.#look = look;
    this.#theme = themeFor(this.themeName, look);
    this.dialogs = new DialogStack({ onChange: () => this.#view.changed() });
    this.queue = new PromptQueue(async (entries) => (await this.conversation()).noteQueue(entries, this.settings));
    this.#ended = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.#view = view(this);
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get plan(): Plan {
    return this.#plan;
  }

  /** The front end that shows it. */
  get view(): ChatView {
    return this.#view;
  }

  get theme(): Theme {
    return this.#theme;
  }

  get isRunning(): boolean {
    return this.#isBusy;
  }

  get run(): StreamingContext | undefined {
    return this.#run;
  }

  /** Resolves with the exit code when the person has left. */
  get ended(): Promise<number> {
    return this.#ended;
  }

  /** A task of agent mode is running. */
  get isAgentMode(): boolean {
    return this.#isAgentMode;
  }

  /** Calls the run has made. */
  get steps(): number {
    const begun = this.#items.findLastIndex(({ kind }) => kind === "run");
    return this.#items.slice(begun).filter(({ kind }) => kind === "tool").length;
  }

  get isCommandRunning(): boolean {
    return this.#items.some((item) => item.kind === "command" && item.endedAt === undefined);
  }

  /** The model of the last run, or the one that was asked for. */
  get model(): string {
    const run = this.#items.findLast((item) => item.kind === "run");
    return this.settings.model ?? (run?.kind === "run" ? run.model : undefined) ?? "";
  }

  /** How much of the model's context the conversation fills; undefined before the first run. */
  get contextShare(): number | undefined {
    const tokens = this.lastState?.sessionState?.mainAgentState.contextTokenCount ?? 0;
    return tokens === 0 || this.#contextWindow === undefined ? undefined : Math.min(1, tokens / this.#contextWindow);
  }

  context(width: number, unfolded = false): BlockContext {
    return { width, theme: this.#theme, now: Date.now(), unfolded };
  }

  /** After the first frame: what a prompt will need is made ready, and what `--continue` names is opened. */
  async begin(): Promise<void> {
    try {
      await loadHighlighter();
      const conversation = await this.conversation();
      if (this.options.continues === undefined) return;
      const session = await conversation.resume();
      await this.#show(conversation, session.id);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
      this.exit(error instanceof CommandError ? error.exitCode : exitCodes.runError);
    }
  }

  conversation(): Promise<Conversation> {
    this.#conversation ??= import("../run/conversation.ts").then(
      ({ Conversation }) =>
        new Conversation({
          options: this.options,
          io: this.io,
          ask: askPersonWith({
            dialogs: this.dialogs,
            nameOf: (agentId) => nameOf(this.#items, agentId),
            edit: (text) => this.edit(text),
            notify: (title) => this.#view.notify(title),
          }),
          trust: decideTrustWith({ dialogs: this.dialogs, notify: (title) => this.#view.notify(title) }),
        }),
    );
    return this.#conversation;
  }

  add(entry: Entry): void {
    this.#items = fold(this.#items, entry);
    this.#plan = foldPlan(this.#plan, entry);
    if (entry.type === "finish") this.spentUsd += entry.totalCostUsd ?? entry.totalCost / 100;
    this.#view.transcriptChanged();
  }

  say(text: string, tone: Tone = "info"): void {
    this.add({ type: "remark", tone, text, at: Date.now() });
  }

  send({ text, agent, agentMode, mode }: SentPrompt): void {
    const prompt: QueuedPrompt = {
      id: randomUUID(),
      text,
      ...this.attachments.take(),
      agent,
      agentMode,
      mode,
    } as QueuedPrompt;
    if (!this.#isBusy && this.queue.entries.length === 0) {
      void this.#send(prompt);
      return;
    }
    this.queue.resume();
    this.queue
      .add(prompt)
      .then(() => this.#sendNext())
      .catch((error: unknown) => this.say(`The prompt could not be queued: ${String(error)}`, "error"))
      .finally(() => this.#view.changed());
  }

  steer(text: string): void {
    const messageId = this.#run?.steering.send(text);
    if (messageId === undefined) return this.send({ text });
    this.#steered.set(messageId, text);
    this.#view.changed();
  }

  /** Steering that has not reached the agent yet. */
  get steered(): readonly string[] {
    return [...this.#steered.values()];
  }

  readonly #steered = new Map<string, string>();

  async interruptCommand(): Promise<void> {
    (await this.conversation()).user.interrupt();
  }

  resumeQueue(): void {
    this.queue.resume();
    void this.#sendNext();
  }

  async resized(columns: number, rows: number): Promise<void> {
    if (this.#conversation === undefined) return;
    const { user, terminal } = await this.#conversation;
    user.resize(columns, rows);
    terminal.resize({ columns, rows });
  }

  interrupt(): void {
    if (this.#run === undefined || this.#run.stopper.reason !== undefined) return;
    this.#run.stopper.stop("cancel");
    if (this.queue.entries.length > 0) this.queue.pause();
    this.#view.changed();
  }

  async runCommand(command: string): Promise<void> {
    const { user } = await this.conversation();
    if (user.isRunning) return this.say("A command of yours is still running: Ctrl-C ends it.", "warning");
    const id = randomUUID();
    this.#keep({ type: "user_command", id, command });
    const ran = await user.run(command, (output) =>
      this.add({ type: "user_command_output", id, output, at: Date.now() }),
    );
    this.#commands.push(ran);
    void this.#note({ type: "user_command", id, command });
    void this.#note({ type: "user_command_output", id, output: ran.output });
    void this.#note({ type: "user_command_end", id, exitCode: ran.exitCode });
    this.add({ type: "user_command_end", id, exitCode: ran.exitCode, at: Date.now() });
  }

  async switchTo(sessionId: string | undefined): Promise<void> {
    if (this.#isBusy) return this.say("The agent is working: interrupt it first (Escape).", "warning");
    const conversation = await this.conversation();
    await conversation.switchTo(sessionId);
    this.#plan = noPlan;
    this.lastState = undefined;
    this.queue.restore([]);
    if (sessionId !== undefined) await this.#show(conversation, sessionId);
    this.#view.changed();
  }

  setTheme(name: ThemeName): void {
    this.themeName = name;
    this.#theme = themeFor(name, this.#look);
    this.#view.changed();
  }

  copy(text: string): void {
    this.#view.copy(text);
  }

  openPage(): void {
    this.#view.openPage();
  }

  edit(text: string): Promise<string | undefined> {
    return this.#view.edit(text);
  }

  exit(code: number = exitCodes.ok): void {
    this.#exit?.(code);
  }

  async close(): Promise<void> {
    this.interrupt();
    if (this.#conversation !== undefined) await (await this.#conversation).close();
  }

  async #send(prompt: QueuedPrompt): Promise<void> {
    this.#isBusy = true;
    this.#isAgentMode = prompt.agentMode === true;
    this.#view.changed();
    try {
      const [conversation, { sendPrompt }] = await Promise.all([this.conversation(), import("../run/send-prompt.ts")]);
      const { id: messageId, text, texts, images, agent, agentMode } = prompt;
      const { budgetUsd } = this.options;
      if (budgetUsd !== undefined && this.spentUsd >= budgetUsd) {
        return this.say("The budget of this command (--budget) is used up; nothing was sent.", "error");
      }
      const commands = this.#commands;
      this.#commands = [];
      const state = await sendPrompt(conversation, {
        input: { messageId, text, commands, texts, images, at: Date.now() },
        settings: { ...this.settings, mode: prompt.mode ?? this.settings.mode },
        agent,
        agentMode,
        budgetUsd: budgetUsd === undefined ? undefined : budgetUsd - this.spentUsd,
        onEntry: (entry) => this.add(entry),
        onJoined: (joined) => this.#joined(joined),
        onTick: () => this.#view.transcriptChanged(),
        onBegin: (context) => {
          this.#run = context;
        },
      });
      this.lastState = state ?? this.lastState;
      this.#contextWindow = await conversation.contextWindowOf(this.model);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
    } finally {
      const late = this.#run?.steering.left ?? [];
      this.#run = undefined;
      this.#isBusy = false;
      this.#isAgentMode = false;
      this.#view.changed();
      this.#view.notify("codebuff is ready");
      this.#sendLate(late.map(({ messageId }) => messageId));
      void this.#sendNext();
    }
  }

  async #sendNext(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const next = await this.queue.take().finally(() => {
      this.#isBusy = false;
    });
    this.#view.changed();
    if (next !== undefined) await this.#send(next);
  }

  #joined(messageId: string): void {
    const text = this.#steered.get(messageId);
    this.#steered.delete(messageId);
    if (text !== undefined)
      this.add({ type: "user_message", messageId, text, attachments: [], steers: true, at: Date.now() });
  }

  /** What was said too late for its run is a prompt of its own. */
  #sendLate(messageIds: readonly string[]): void {
    for (const messageId of messageIds) {
      const text = this.#steered.get(messageId);
      this.#steered.delete(messageId);
      if (text !== undefined) this.send({ text });
    }
  }

  /** The last two screens of a session; what stands before is read when somebody wants to see it. */
  async #show(conversation: Conversation, sessionId: string): Promise<void> {
    const { loadTail } = await import("../run/load-tail.ts");
    const { items, queue, plan } = await loadTail(conversation, sessionId);
    this.#items = [...this.#items, ...items];
    this.#plan = plan;
    this.queue.restore(queue);
    this.#view.transcriptChanged();
  }

  #keep(entry: PersonEntry): void {
    this.add({ ...entry, at: Date.now() });
  }

  async #note(entry: PersonEntry): Promise<void> {
    await (await this.conversation()).notePerson(entry).catch(() => undefined);
  }
}

function nameOf(items: readonly Item[], agentId: string): string | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== "agent") continue;
    const name = item.agentId === agentId ? item.name : nameOf(item.children, agentId);
    if (name !== undefined) return name;
  }
  return undefined;
}
