import type { AgentExited, AgentSession, Command } from "@muster/adapters";

/** One life of the agent. `Lives` reads it from its first word to its exit. */
export class AgentLife {
  readonly agent: AgentSession;
  /** Settles when everything the agent said has been taken. */
  over: Promise<void> = Promise.resolve();
  exited: AgentExited | undefined;
  #closed: Promise<void> | undefined;

  constructor(agent: AgentSession) {
    this.agent = agent;
  }

  /** Whether we asked for its end. */
  get isClosing(): boolean {
    return this.#closed !== undefined;
  }

  /** A command to an agent that has just died is no failure of ours: its exit is on its way up. */
  async send(command: Command): Promise<void> {
    await this.agent.send(command).catch(() => undefined);
  }

  /** Ends the life; resolves when every process of it is dead and everything it said is taken. */
  async close(graceMs: number): Promise<void> {
    this.#closed ??= this.agent.close({ graceMs });
    await this.#closed;
    await this.over;
  }
}

/** The life that goes on now, if one does. `Lives` puts it in and takes it out; who has to tell the agent something asks here. */
export class CurrentLife {
  life: AgentLife | undefined;
  isOpening = false;

  get isAlive(): boolean {
    return this.life !== undefined && !this.life.isClosing;
  }

  tell(command: Command): void {
    void this.life?.send(command);
  }
}
