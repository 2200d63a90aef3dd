import { randomUUID } from "node:crypto";
import type { RunState } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { PromptQueue, type QueuedPrompt } from "../run/prompt-queue.ts";
import type { StreamingContext } from "../run/streaming-context.ts";
import type { Settings } from "../run-options.ts";
import type { TerminalCommand } from "../transcript/shown-prompt.ts";
import type { Chat } from "./chat.ts";

interface SentPrompt {
  readonly text: string;
  readonly agent?: string;
  readonly agentMode?: boolean;
  /** Only for this prompt. */
  readonly mode?: Settings["mode"];
}

/** The prompts of a chat on their way: sent at once, queued, steered into the run that goes on, interrupted. */
export class Prompts {
  readonly queue: PromptQueue;
  lastState: RunState | undefined;
  readonly #chat: Chat;
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

  constructor(chat: Chat) {
    this.#chat = chat;
    this.queue = new PromptQueue(
      async (entries) => (await chat.conversation()).noteQueue(entries, chat.settings),
      chat.ready,
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

  /** A prompt of its own: sent when the agent is idle, else queued. `waits`: into the queue, which is paused, until the person lets it go. */
  send({ text, agent, agentMode, mode, waits = false }: SentPrompt & { waits?: boolean }): void {
    const { texts, images } = this.#chat.attachments.take();
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
      .catch((error: unknown) => this.#chat.say(`The prompt could not be queued: ${String(error)}`, "error"))
      .finally(() => this.#chat.view.changed());
  }

  /** Into the run that is going on; as a prompt when there is none. */
  steer(text: string): void {
    const messageId = this.#run?.steering.send(text);
    if (messageId === undefined) return this.send({ text });
    this.#steered.set(messageId, text);
    this.#chat.view.changed();
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
    this.#chat.view.changed();
  }

  resumeQueue(): void {
    this.queue.resume();
    void this.#sendNext();
  }

  async #send(prompt: QueuedPrompt): Promise<void> {
    const chat = this.#chat;
    this.#isBusy = true;
    this.#isInterrupted = false;
    this.#isAgentMode = prompt.agentMode === true;
    chat.view.changed();
    let markWritten: () => void = () => {};
    try {
      await chat.ready;
      const [conversation, { sendPrompt, StreamingContext }] = await Promise.all([
        chat.conversation(),
        import("../run/send-prompt.ts"),
      ]);
      const { id: messageId, text, texts, images, agent, agentMode } = prompt;
      if (conversation.isSpent) {
        return chat.say("The budget of this command (--budget) is used up; nothing was sent.", "error");
      }
      const context = new StreamingContext({
        onJoined: (joined) => this.#joined(joined),
        onTick: () => chat.view.transcriptChanged(),
      });
      this.#run = context;
      // Escape was pressed while the way to the model was still being made.
      if (this.#isInterrupted) context.stopper.stop("cancel");
      const input = { messageId, text, commands: this.#commands, texts, images, at: Date.now() };
      this.#commands = [];
      this.#written = new Promise((resolve) => {
        markWritten = resolve;
      });
      const settings = { ...chat.settings, mode: prompt.mode ?? chat.settings.mode };
      const entries = sendPrompt(conversation, { input, settings, agent, agentMode }, context);
      let next = await entries.next();
      for (; !next.done; next = await entries.next()) {
        chat.add(next.value);
        // The prompt is handed to the file in the turn of the event loop after its first event.
        if (next.value.type === "start") setImmediate(() => setImmediate(markWritten));
      }
      // A run that was interrupted before it began has none.
      if (next.value?.sessionState !== undefined) this.lastState = next.value;
    } catch (error) {
      chat.say(messageOf(error), "error");
    } finally {
      markWritten();
      const late = this.#run?.steering.left ?? [];
      this.#run = undefined;
      this.#isBusy = false;
      this.#isAgentMode = false;
      this.#sendLate(late.map(({ messageId }) => messageId));
      chat.view.changed();
      await this.#sendNext();
    }
  }

  async #sendNext(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const next = await this.queue.take().finally(() => {
      this.#isBusy = false;
    });
    this.#chat.view.changed();
    if (next === undefined) this.#chat.idle();
    else await this.#send(next);
  }

  #joined(messageId: string): void {
    const text = this.#steered.get(messageId);
    this.#steered.delete(messageId);
    if (text === undefined) return;
    this.#chat.add({ type: "user_message", messageId, text, attachments: [], steers: true, at: Date.now() });
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
