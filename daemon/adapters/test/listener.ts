import { onTestFinished } from "vitest";
import type { AgentOutput, AgentSession, OpenOptions } from "../src/adapter.ts";
import type { Command } from "../src/commands.ts";
import { mock } from "../src/mock/index.ts";
import type { AgentExited, Signal } from "../src/signals.ts";
import { openOptions, type TestHost } from "./host.ts";

type Typed<T extends Signal["type"]> = Extract<Signal, { type: T }>;

/** Reads a session to its end and lets a test wait for what it says. */
export class Listener {
  readonly session: AgentSession;
  readonly outputs: AgentOutput[] = [];
  readonly signals: Signal[] = [];
  readonly done: Promise<void>;
  onCommand: (command: Command) => void = () => {};
  #messages = 0;
  #looked = 0;
  #wake: () => void = () => {};

  constructor(session: AgentSession) {
    this.session = session;
    this.done = this.#read();
  }

  async #read(): Promise<void> {
    for await (const outputs of this.session.events) {
      for (const output of outputs) {
        this.outputs.push(output);
        this.signals.push(...output.bodies);
      }
      this.#wake();
    }
    this.#wake();
  }

  /** The next signal of this type that no earlier call has returned or passed. */
  async next<T extends Signal["type"]>(type: T): Promise<Typed<T>> {
    let over = false;
    void this.done.then(() => {
      over = true;
    });
    for (;;) {
      while (this.#looked < this.signals.length) {
        const signal = this.signals[this.#looked++];
        if (signal?.type === type) return signal as Typed<T>;
      }
      if (over) throw new Error(`The agent ended without ${type}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        void this.done.then(resolve);
      });
    }
  }

  /** Resolves when the mock has said that a message arrived. */
  async arrival(): Promise<void> {
    while (!this.outputs.some(({ raw }) => raw?.includes('"ev":"heard"'))) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  send(command: Command): Promise<void> {
    this.onCommand(command);
    return this.session.send(command);
  }

  /** Sends a message; resolves when the agent has it. */
  async say(text: string, type: "message" | "steer" = "message"): Promise<string> {
    this.#messages++;
    const messageId = `m${this.#messages}`;
    await this.send({ type, messageId, text, attachments: [] });
    return messageId;
  }

  /** Sends a message and resolves with everything said until its turn has finished. */
  async turn(text: string): Promise<Signal[]> {
    const from = this.signals.length;
    await this.say(text);
    await this.next("turn.finished");
    return this.signals.slice(from, this.#looked);
  }

  async exit(): Promise<AgentExited> {
    return (await this.next("agent.exited")).data;
  }
}

/** Opens a mock session and listens to it; the test's end is its end. */
export async function openMock(host: TestHost, options: Partial<OpenOptions> = {}): Promise<Listener> {
  const session = await mock.open(host, openOptions(host, options));
  onTestFinished(() => session.close({ graceMs: 0 }));
  return new Listener(session);
}

/** What a person would read: the texts of completed messages. */
export function texts(signals: readonly Signal[]): string[] {
  return signals.flatMap((signal) => {
    if (signal.type !== "item.completed" || signal.data.item.kind !== "message") return [];
    return signal.data.item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  });
}
