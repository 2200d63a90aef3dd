import { randomUUID } from "node:crypto";
import type { RunState } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { Conversation } from "../run/conversation.ts";
import { PromptQueue, type QueuedPrompt } from "../run/prompt-queue.ts";
import type { StreamingContext } from "../run/streaming-context.ts";
import type { Settings } from "../run-options.ts";
import type { Entry, Tone } from "../transcript/items.ts";
import type { TerminalCommand } from "../transcript/shown-prompt.ts";
import type { Attachments } from "./attachments.ts";
import type { SentPrompt } from "./chat-face.ts";

/** What prompts need of the chat they belong to. */
export interface PromptHost {
  readonly settings: Settings;
  readonly attachments: Attachments;
  /** What may still be spent; undefined without a budget. */
  readonly budgetLeftUsd: number | undefined;
  /** What an earlier process left is known. */
  readonly ready: Promise<void>;
  conversation(): Promise<Conversation>;
  add(entry: Entry): void;
  say(text: string, tone?: Tone): void;
  changed(): void;
  tick(): void;
  /** A run has ended and nothing more is sent. */
  idle(): void;
}

/** The prompts of a chat on their way: sent at once, queued, steered into the run that goes on, interrupted. */
export class Prompts {
  readonly queue: PromptQueue;
  lastState: RunState | undefined;
  readonly #host: PromptHost;
  readonly #steered = new Map<string, string>();
  #run: StreamingContext | undefined;
  /** A prompt is on its way from Enter to its end. */
  #isBusy = false;
  #isAgentMode = false;
  #isInterrupted = false;
  /** The prompt that was shown last is in the session file. */
  #written: Promise<void> = Promise.resolve();
  /** What the person ran since the last prompt. */
  #commands: readonly TerminalCommand[] = [];

  constructor(host: PromptHost) {
    this.#host = host;
    this.queue = new PromptQueue(
      async (entries) => (await host.conversation()).noteQueue(entries, host.settings),
      host.ready,
    );
  }

  get isRunning(): boolean {
    return this.#isBusy;
  }

  get isAgentMode(): boolean {
    return this.#isAgentMode;
  }

  /** Escape was pressed and the run has not ended yet. */
  get isInterrupting(): boolean {
    return this.#isBusy && this.#isInterrupted;
  }

  get run(): StreamingContext | undefined {
    return this.#run;
  }

  /** Steering that has not reached the agent yet. */
  get steered(): readonly string[] {
    return [...this.#steered.values()];
  }

  /** `waits`: into the queue, which is paused, until the person lets it go. */
  send({ text, agent, agentMode, mode, waits = false }: SentPrompt & { waits?: boolean }): void {
    const { texts, images } = this.#host.attachments.take();
    const prompt: QueuedPrompt = { id: randomUUID(), text, texts: [...texts], images: [...images] };
    const own = { ...prompt, agent, agentMode, mode };
    if (!this.#isBusy && !waits && this.queue.entries.length === 0) {
      void this.#send(own);
      return;
    }
    if (waits) this.queue.pause();
    else this.queue.resume();
    this.queue
      .add(own)
      .then(() => this.#sendNext())
      .catch((error: unknown) => this.#host.say(`The prompt could not be queued: ${String(error)}`, "error"))
      .finally(() => this.#host.changed());
  }

  steer(text: string): void {
    const messageId = this.#run?.steering.send(text);
    if (messageId === undefined) return this.send({ text });
    this.#steered.set(messageId, text);
    this.#host.changed();
  }

  /** Resolves when every prompt that was shown stands in the session file. */
  untilWritten(): Promise<void> {
    return this.#written;
  }

  /** It goes with the next prompt. */
  addCommand(command: TerminalCommand): void {
    this.#commands = [...this.#commands, command];
  }

  interrupt(): void {
    if (!this.#isBusy || this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#run?.stopper.stop("cancel");
    if (this.queue.entries.length > 0) this.queue.pause();
    this.#host.changed();
  }

  resumeQueue(): void {
    this.queue.resume();
    void this.#sendNext();
  }

  async #send(prompt: QueuedPrompt): Promise<void> {
    const host = this.#host;
    this.#isBusy = true;
    this.#isInterrupted = false;
    this.#isAgentMode = prompt.agentMode === true;
    host.changed();
    let markWritten: () => void = () => {};
    try {
      await host.ready;
      const [conversation, { sendPrompt }] = await Promise.all([host.conversation(), import("../run/send-prompt.ts")]);
      const { id: messageId, text, texts, images, agent, agentMode } = prompt;
      const { budgetLeftUsd: budgetUsd } = host;
      if (budgetUsd !== undefined && budgetUsd <= 0) {
        return host.say("The budget of this command (--budget) is used up; nothing was sent.", "error");
      }
      const commands = this.#commands;
      this.#commands = [];
      const state = await sendPrompt(conversation, {
        input: { messageId, text, commands, texts, images, at: Date.now() },
        settings: { ...host.settings, mode: prompt.mode ?? host.settings.mode },
        agent,
        agentMode,
        budgetUsd,
        onEntry: (entry) => {
          host.add(entry);
          if (entry.type === "user_message") {
            this.#written = new Promise((resolve) => {
              markWritten = resolve;
            });
          }
          // The runtime hands the prompt to the file right behind its first event.
          if (entry.type === "start") setImmediate(markWritten);
        },
        onJoined: (joined) => this.#joined(joined),
        onTick: () => host.tick(),
        onBegin: (context) => {
          this.#run = context;
          // Escape was pressed while the way to the model was still being made.
          if (this.#isInterrupted) context.stopper.stop("cancel");
        },
      });
      // A run that was interrupted before it began has none.
      if (state?.sessionState !== undefined) this.lastState = state;
    } catch (error) {
      host.say(messageOf(error), "error");
    } finally {
      markWritten();
      const late = this.#run?.steering.left ?? [];
      this.#run = undefined;
      this.#isBusy = false;
      this.#isAgentMode = false;
      this.#sendLate(late.map(({ messageId }) => messageId));
      host.changed();
      await this.#sendNext();
    }
  }

  async #sendNext(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const next = await this.queue.take().finally(() => {
      this.#isBusy = false;
    });
    this.#host.changed();
    if (next === undefined) this.#host.idle();
    else await this.#send(next);
  }

  #joined(messageId: string): void {
    const text = this.#steered.get(messageId);
    this.#steered.delete(messageId);
    if (text === undefined) return;
    this.#host.add({ type: "user_message", messageId, text, attachments: [], steers: true, at: Date.now() });
  }

  /** What was said too late for its run is a prompt of its own; after an interrupt it waits for the person. */
  #sendLate(messageIds: readonly string[]): void {
    for (const messageId of messageIds) {
      const text = this.#steered.get(messageId);
      this.#steered.delete(messageId);
      if (text === undefined) continue;
      this.send({ text, waits: this.#isInterrupted });
    }
  }
}
