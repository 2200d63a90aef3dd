import type { Message } from "@muster/codebuff-protocol";
import type { Entry, Log } from "../ports.ts";

type ReplaceReason = Extract<Entry, { type: "replace" }>["reason"];

/** An agent's messages as the model sees them. Every change is journalled before the call returns. */
export class History {
  readonly #agentId: string;
  readonly #log: Log;
  #messages: Message[];

  constructor(agentId: string, messages: readonly Message[], log: Log) {
    this.#agentId = agentId;
    this.#messages = [...messages];
    this.#log = log;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** A message whose kept tag an older one has takes its place at the end. */
  async append(...messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const tags = new Set(messages.flatMap((message) => message.keepLastTags ?? []));
    const isReplaced = (message: Message) => message.keepLastTags?.some((tag) => tags.has(tag)) === true;
    if (tags.size > 0 && this.#messages.some(isReplaced)) {
      await this.replace([...this.#messages.filter((message) => !isReplaced(message)), ...messages], "expire");
      return;
    }
    this.#messages.push(...messages);
    await this.#log.write({ agentId: this.#agentId, type: "append", messages });
  }

  async replace(messages: readonly Message[], reason: ReplaceReason): Promise<void> {
    this.#messages = [...messages];
    await this.#log.write({ agentId: this.#agentId, type: "replace", messages, reason });
  }

  /** Drops what was only meant for the prompt that is over. */
  async expire(): Promise<void> {
    const kept = this.#messages.filter((message) => message.timeToLive === undefined);
    if (kept.length !== this.#messages.length) await this.replace(kept, "expire");
  }
}
