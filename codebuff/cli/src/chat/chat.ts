import { randomUUID } from "node:crypto";
import { messageOf } from "@muster/core";
import type { BlockContext } from "../blocks/block-context.ts";
import { loadHighlighter } from "../blocks/highlight.ts";
import { askPersonWith } from "../dialogs/ask-person.ts";
import { DialogStack } from "../dialogs/dialog-stack.ts";
import { describeExit, exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import type { Conversation } from "../run/conversation.ts";
import { manners } from "../run/manners.ts";
import { noKeyText } from "../run/run-completion.ts";
import { isPlan, type RunOptions, type Settings } from "../run-options.ts";
import { type Links, linksFor } from "../text/hyperlinks.ts";
import { shortPath } from "../text/short-path.ts";
import { type Look, type Theme, type ThemeName, themeFor } from "../text/theme.ts";
import { readTheme } from "../text/theme-file.ts";
import { nameOf, placeOf } from "../transcript/find-items.ts";
import type { Entry, Item, PersonEntry, Tone } from "../transcript/items.ts";
import type { Plan } from "../transcript/plan.ts";
import { askTrustWith } from "../trust/ask-trust.ts";
import { Attachments } from "./attachments.ts";
import type { ChatFront } from "./chat-front.ts";
import { chooseProject, isNoProject } from "./choose-project.ts";
import { Prompts } from "./prompts.ts";
import { TranscriptState } from "./transcript-state.ts";

export interface ChatOptions {
  readonly options: RunOptions;
  readonly io: Io;
  readonly look: Look;
  readonly view: (chat: Chat) => ChatFront;
}

/** One chat: its settings, its transcript, its prompts, and what its front end and a slash command can do with it. */
export class Chat {
  options: RunOptions;
  readonly io: Io;
  readonly dialogs: DialogStack;
  readonly attachments = new Attachments();
  readonly transcript = new TranscriptState();
  readonly prompts: Prompts;
  /** The model that the settings of this mode and wish lead to. */
  #planned: { readonly settings: Settings; readonly model: string; readonly way: string | undefined } | undefined;
  /** Why no prompt could be sent now, as far as it is known. */
  #refusal: { readonly code: string; readonly message: string } | undefined;
  /** `dark`, `light`, or a file of the person's. */
  themeName: string;
  /** `auto` follows what the terminal says of its background. */
  themeChoice: string;
  /** What shows it. */
  readonly view: ChatFront;
  readonly #look: Look;
  #theme: Theme;
  #settings: Settings;
  /** What was told once and is still so need not be told with every prompt. */
  readonly #warned = new Set<string>();
  #conversation: Promise<Conversation> | undefined;
  #contextWindow: number | undefined;
  readonly #ready: Promise<void>;
  #isReady: (() => void) | undefined;
  #exit: ((code: number) => void) | undefined;
  readonly #ended: Promise<number>;

  constructor({ options, io, look, view }: ChatOptions) {
    const { mode, model, variant, permissions } = options;
    this.options = options;
    this.io = io;
    this.#settings = { mode, model, variant, permissions };
    this.themeChoice = options.theme;
    this.themeName = options.theme === "auto" ? "dark" : options.theme;
    this.#look = look;
    this.#theme = this.#themeOf(this.themeName).theme;
    this.dialogs = new DialogStack({ onChange: () => this.view.changed() });
    this.#ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    if (options.continues === undefined) this.#isReady?.();
    this.prompts = new Prompts(this);
    this.#ended = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.view = view(this);
  }

  /** Of the next prompt; the permissions also of the run that goes on. */
  get settings(): Settings {
    return this.#settings;
  }

  /** From the next prompt on. */
  change(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.view.changed();
    if (this.#conversation !== undefined) void this.#planModel();
  }

  /** At once: the next call of a run that goes on is judged by it. */
  switchPermissions(settings: Pick<Settings, "permissions" | "mode">): void {
    this.change(settings);
    void this.#conversation?.then((conversation) => conversation.switchPermissions(this.#settings));
  }

  get items(): readonly Item[] {
    return this.transcript.items;
  }

  get plan(): Plan {
    return this.transcript.plan;
  }

  get theme(): Theme {
    return this.#theme;
  }

  get isRunning(): boolean {
    return this.prompts.isRunning;
  }

  /** The end of what `--continue` names is on the screen: what the person says now stands below it. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Resolves with the exit code when the person has left. */
  get ended(): Promise<number> {
    return this.#ended;
  }

  /** What the session has cost, sub-agents and tools included. */
  get spentUsd(): number {
    return this.transcript.sessionUsd;
  }

  get isCommandRunning(): boolean {
    return this.items.some((item) => item.kind === "command" && item.endedAt === undefined);
  }

  /** The model that works now, else the one the next prompt goes to. */
  get model(): string {
    // One that was interrupted before it began had none.
    const run = this.items.findLast((item) => item.kind === "run" && item.model !== "unknown");
    const last = run?.kind === "run" ? run.model : undefined;
    if (this.isRunning && last !== undefined) return last;
    const planned = this.#planned;
    if (planned !== undefined && isSameWish(planned.settings, this.settings)) return planned.model;
    return this.settings.model ?? (planned === undefined ? last : undefined) ?? "";
  }

  /** Before anything was said: which key and model a prompt would use, or how to get one; empty until it is known. */
  get welcome(): string {
    if (this.items.length > 0 || this.isRunning) return "";
    if (this.options.demo) return "--demo: a scripted model, offline; nothing leaves this machine";
    if (this.#refusal !== undefined) return this.#refusal.code === "no_credentials" ? noKeyText : this.#refusal.message;
    const { model, way } = this.#planned ?? {};
    return model === undefined || way === undefined ? "" : `${model} with ${way}`;
  }

  /** How much of the model's context the conversation fills; undefined before the first run. */
  get contextShare(): number | undefined {
    const tokens = this.prompts.lastState?.sessionState?.mainAgentState.contextTokenCount ?? 0;
    return tokens === 0 || this.#contextWindow === undefined ? undefined : Math.min(1, tokens / this.#contextWindow);
  }

  context(width: number, unfolded = false): BlockContext {
    return { width, theme: this.#theme, now: Date.now(), unfolded, links: this.#links };
  }

  /** The text console of Linux knows none, and a screen reader would read them out. */
  get #links(): Links | undefined {
    return this.#look === "plain" || this.io.env.TERM === "linux" ? undefined : linksFor(this.options.cwd);
  }

  /** After the first frame: what a prompt will need is made ready, and what `--continue` names is opened. */
  async begin(): Promise<void> {
    try {
      await this.#findProject();
      const conversation = await this.conversation();
      const continued = await conversation.continued();
      if (continued !== undefined) await this.#show(conversation, continued);
      this.#isReady?.();
      await conversation.checkBudget();
      if (this.options.prompt !== undefined) this.view.submit(this.options.prompt);
      await loadHighlighter();
      await this.#planModel();
      // A long session takes a while to read: its end stands on the screen meanwhile, and a prompt waits for the rest.
      await conversation.session();
    } catch (error) {
      this.say(messageOf(error), "error");
      this.exit(describeExit(error).code);
    }
  }

  /** The SDK is loaded when it is first needed. */
  conversation(): Promise<Conversation> {
    this.#conversation ??= import("../run/conversation.ts").then(
      ({ Conversation }) =>
        new Conversation({
          options: this.options,
          io: this.io,
          manner: manners.chat,
          ask: askPersonWith({
            dialogs: this.dialogs,
            nameOf: (agentId) => nameOf(this.items, agentId),
            placeOf: (toolCallId) => placeOf(this.items, toolCallId),
            edit: (text) => this.view.edit(text),
            planApproved: () => this.#planApproved(),
            notify: (title) => this.view.notify(title),
          }),
          trust: askTrustWith({ dialogs: this.dialogs, notify: (title) => this.view.notify(title) }),
        }),
    );
    return this.#conversation;
  }

  add(entry: Entry): void {
    if (entry.type === "error" && entry.fatal === false && oncePerChat.has(entry.code ?? "")) {
      if (this.#warned.has(entry.message)) return;
      this.#warned.add(entry.message);
    }
    this.transcript.add(entry);
    this.view.transcriptChanged();
  }

  say(text: string, tone: Tone = "info"): void {
    this.add({ type: "remark", tone, text, at: Date.now() });
  }

  /** Something in a file of the person is wrong: said once, also when a run says it too. */
  warn(message: string): void {
    this.#warned.add(message);
    this.say(message, "warning");
  }

  /** A run has ended and nothing more is sent. */
  idle(): void {
    void this.#readContextWindow();
    this.view.notify("codebuff is ready");
  }

  async interruptCommand(): Promise<void> {
    (await this.conversation()).user.interrupt();
  }

  async resized(columns: number, rows: number): Promise<void> {
    if (this.#conversation === undefined) return;
    const { user, terminal } = await this.#conversation;
    user.resize(columns, rows);
    terminal.resize({ columns, rows });
  }

  async runCommand(command: string): Promise<void> {
    const { user } = await this.conversation();
    if (user.isRunning) return this.say("A command of yours is still running: Ctrl-C ends it.", "warning");
    const id = randomUUID();
    this.#tell({ type: "user_command", id, command });
    // A prompt shown before the command stands before it in the file too.
    const noted = this.prompts.untilWritten().then(() => this.#note({ type: "user_command", id, command }));
    const ran = await user.run(command, (output) =>
      this.add({ type: "user_command_output", id, output, at: Date.now() }),
    );
    this.prompts.addCommand(ran);
    await noted;
    void this.#note({ type: "user_command_output", id, output: ran.output });
    void this.#note({ type: "user_command_end", id, exitCode: ran.exitCode });
    this.#tell({ type: "user_command_end", id, exitCode: ran.exitCode });
  }

  /** Another conversation of this project, or a new one; false when that is not possible now. */
  async switchTo(sessionId: string | undefined): Promise<boolean> {
    if (this.isRunning) {
      this.say("The agent is working: interrupt it first (Escape).", "warning");
      return false;
    }
    const conversation = await this.conversation();
    await conversation.switchTo(sessionId);
    conversation.setSpent(0);
    this.transcript.begin();
    this.prompts.lastState = undefined;
    this.prompts.queue.restore([]);
    if (sessionId !== undefined) await this.#show(conversation, sessionId);
    this.view.changed();
    return true;
  }

  /** What the terminal says of its background counts only where nobody has chosen. */
  followBackground(name: ThemeName): void {
    if (this.themeChoice === "auto" && name !== this.themeName) this.setTheme(name);
  }

  /** What is wrong in the theme's file is said; the rest of it holds. */
  setTheme(name: string): void {
    const { theme, problems } = this.#themeOf(name);
    this.themeName = name;
    this.#theme = theme;
    for (const problem of problems) this.warn(problem);
    this.view.changed();
  }

  #themeOf(name: string): { theme: Theme; problems: readonly string[] } {
    const own = readTheme(this.io.home, name);
    const base = own?.base ?? (name === "light" ? "light" : "dark");
    return { theme: themeFor(base, this.#look, own?.codes), problems: own?.problems ?? [] };
  }

  exit(code: number = exitCodes.ok): void {
    this.#exit?.(code);
  }

  /** Resolves with the id of the session that was left, if anything was said in it. */
  async close(): Promise<string | undefined> {
    this.prompts.interrupt();
    const conversation = await this.#conversation?.catch(() => undefined);
    await conversation?.close();
    return conversation?.sessionId;
  }

  /** Finds out what the footer says of the next prompt; nothing is run, and nobody is asked anything. */
  async #planModel(): Promise<void> {
    const { settings } = this;
    const plan = await (await this.conversation()).planRun(settings).catch(() => undefined);
    if (plan === undefined) return;
    this.#refusal = "refusal" in plan ? plan.refusal : undefined;
    if (!("refusal" in plan) && plan.model !== "") this.#planned = { settings, model: plan.model, way: plan.way };
    this.view.changed();
  }

  /** What was planned is done, and the next prompt is no plan. */
  #planApproved(): void {
    if (!isPlan(this.settings)) return;
    const { mode, permissions } = this.settings;
    // The run itself has opened its gate, maybe wider; only what comes after it is set here.
    this.#settings = {
      ...this.#settings,
      mode: mode === "PLAN" ? "DEFAULT" : mode,
      permissions: permissions === "plan" ? "default" : permissions,
    };
    void this.#planModel();
    this.say(`The plan is approved: ${this.settings.mode} mode from the next prompt on.`);
  }

  /** In the home directory there is nothing to work on; one of the projects used last is. */
  async #findProject(): Promise<void> {
    const { options, io } = this;
    if (options.continues !== undefined || !isNoProject(options.cwd, io.home)) return;
    const cwd = await chooseProject(this.dialogs, io.home);
    if (cwd === undefined) return this.say("This is no project: files are not listed here, and there is no undo.");
    this.options = { ...options, cwd };
    this.say(`Now in ${shortPath(cwd, io.home)}.`);
  }

  async #readContextWindow(): Promise<void> {
    this.#contextWindow = await (await this.conversation()).contextWindowOf(this.model);
    this.view.changed();
  }

  /** The end of a session; what stands before is read when somebody wants to see it. */
  async #show(conversation: Conversation, sessionId: string): Promise<void> {
    const { loadTail } = await import("../run/load-tail.ts");
    const tail = await loadTail(conversation, sessionId);
    const { from } = this.transcript.open(tail, (place) => loadTail(conversation, sessionId, { place }));
    conversation.setSpent(tail.usd);
    this.prompts.queue.restore(tail.queue);
    this.view.opened(from);
  }

  #tell(entry: PersonEntry): void {
    this.add({ ...entry, at: Date.now() });
  }

  async #note(entry: PersonEntry): Promise<void> {
    await (await this.conversation()).notePerson(entry).catch(() => undefined);
  }
}

function isSameWish(one: Settings, other: Settings): boolean {
  return one.mode === other.mode && one.model === other.model;
}

/** Warnings about files, which every run of the SDK gives anew. */
const oncePerChat: ReadonlySet<string> = new Set(["warning", "untrusted", "agent_file"]);
