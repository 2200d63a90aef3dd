import type { AgentOutput, AgentSession, Signal } from "@muster/adapters";

/** Reads a life from its first word on, so that waiting for a signal never misses it. */
export class LifeUnderTest {
  readonly agent: AgentSession;
  readonly seen: Signal[] = [];
  readonly #reading: Promise<void>;
  #taken = 0;
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(agent: AgentSession) {
    this.agent = agent;
    this.#reading = this.#read(agent.events);
  }

  send(text: string, messageId: string): Promise<void> {
    return this.agent.send({ type: "message", messageId, text, attachments: [] });
  }

  /** Everything from this prompt to the end of its turn. */
  async prompt(text: string, messageId: string): Promise<Signal[]> {
    const from = this.seen.length;
    await this.send(text, messageId);
    await this.until(({ type }) => type === "turn.finished");
    return this.seen.slice(from, this.#taken);
  }

  /** The next signal of this kind, each one once. */
  async until(matches: (signal: Signal) => boolean): Promise<Signal> {
    for (;;) {
      while (this.#taken < this.seen.length) {
        const signal = this.seen[this.#taken++];
        if (signal && matches(signal)) return signal;
      }
      if (this.#isOver) throw new Error(`The life ended: ${JSON.stringify(this.seen.slice(-5))}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Every signal, once the life is over. */
  async all(): Promise<Signal[]> {
    await this.#reading;
    return this.seen;
  }

  async #read(events: AsyncIterable<readonly AgentOutput[]>): Promise<void> {
    for await (const outputs of events) {
      this.seen.push(...outputs.flatMap(({ bodies }) => bodies));
      this.#wake?.();
    }
    this.#isOver = true;
    this.#wake?.();
  }
}
