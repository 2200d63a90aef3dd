import type { Attachment } from "@muster/schema";

/** A message that was sent from here. */
export interface SentMessage {
  readonly text: string;
  readonly how: "queued" | "steering";
}

/** What is on its way: messages that the agent does not have yet, and files that go with the next one. */
export class Outbox {
  readonly #sent = new Map<string, SentMessage>();
  #files: Attachment[] = [];

  get files(): readonly Attachment[] {
    return this.#files;
  }

  set files(files: readonly Attachment[]) {
    this.#files = [...files];
  }

  add(messageId: string, message: SentMessage): void {
    this.#sent.set(messageId, message);
  }

  /** The agent has it, or never will. undefined for one that was sent from elsewhere. */
  take(messageId: string): SentMessage | undefined {
    const message = this.#sent.get(messageId);
    this.#sent.delete(messageId);
    return message;
  }

  clear(): void {
    this.#sent.clear();
    this.#files = [];
  }

  /** A line for each; a message that nothing stands before is given before anybody could read that it waits. */
  lines(isWorking: boolean): string[] {
    const waiting = [...this.#sent.values()].filter(({ how }) => isWorking || how === "steering");
    const messages = waiting.map(({ how, text }) => `${how}: ${text.replaceAll("\n", " ")}`);
    return [...messages, ...this.#files.map(({ filename, path }) => `attached: ${filename ?? path}`)];
  }
}
