import { settlesWithin } from "@muster/core";
import type { Line } from "@muster/node";
import type { AgentOutput, AgentSession } from "../adapter.ts";
import { AgentStartFailure } from "../adapter.ts";
import type { Command } from "../commands.ts";
import { Conversion } from "../converter/conversion.ts";
import type { Converter, Resume } from "../converter/converter.ts";
import type { AgentExited, Signal } from "../signals.ts";
import type { LineChannel } from "./line-channel.ts";
import { OutputQueue } from "./output-queue.ts";

/** What the state of a converter says about the life as a whole. */
export interface LifeFacts {
  /** It can take its first command. */
  ready: boolean;
  /** It refused to start and says why. */
  failure?: { type: AgentStartFailure["type"]; message: string; details?: Record<string, unknown> | undefined };
  agentVersion?: string;
  nativeSessionId?: string;
  model?: string;
  contextLost?: boolean;
  /** What the agent tells of itself beside these; the last of it belongs to the end of the life. */
  metadata?: Record<string, unknown>;
}

export interface LifeOptions<State, Native> {
  channel: LineChannel<Native>;
  converter: Converter<State, Native>;
  facts: (state: State) => LifeFacts;
  resume?: Resume | undefined;
  keys?: AgentSession["keys"];
  /** Gives the converter the time this often; never without it. */
  tickMs?: number;
  /** How long it may take to become ready. */
  startMs?: number;
  signal?: AbortSignal | undefined;
}

/** Resolves when the agent is ready; otherwise throws `AgentStartFailure` with nothing left running. */
export async function openLife<State, Native>(options: LifeOptions<State, Native>): Promise<AgentSession> {
  const { signal, startMs = 60_000 } = options;
  const life = new Life(options);
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true, signal: life.startSignal });
  });
  const late = `The agent was not ready within ${startMs} ms`;
  try {
    signal?.throwIfAborted();
    const ready = Promise.race([life.ready, aborted]);
    if (!(await settlesWithin(ready, startMs))) throw new AgentStartFailure("timeout", late, life.diagnosis());
    await ready;
    return life;
  } catch (error) {
    // Why it could not be opened is what the caller hears; a process that cannot be ended is in the log.
    await life.close({ graceMs: 500 }).catch(() => {});
    throw error;
  }
}

/** A converter on a channel, read by one engine. */
class Life<State, Native> implements AgentSession {
  agentVersion?: string;
  nativeSessionId?: string;
  model?: string;
  contextLost?: boolean;
  metadata?: Record<string, unknown>;
  readonly keys: AgentSession["keys"];
  readonly events: OutputQueue<readonly AgentOutput[]>;
  readonly ready: Promise<void>;
  readonly #options: LifeOptions<State, Native>;
  readonly #conversion: Conversion<State, Native>;
  readonly #starting = new AbortController();
  #facts: LifeFacts | undefined;
  #settleReady: { resolve(): void; reject(error: Error): void } | undefined;
  #exit: Omit<AgentExited, "expected"> | undefined;
  #closing = false;
  #ticker: NodeJS.Timeout | undefined;

  constructor(options: LifeOptions<State, Native>) {
    this.#options = options;
    this.keys = options.keys;
    this.#conversion = new Conversion(options.converter, options.resume);
    this.events = new OutputQueue(options.channel);
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // Whoever waits for it hears of its failure; nobody may.
    this.ready.catch(() => {});
    options.channel.open({ lines: (lines) => this.#lines(lines), exit: (exit) => this.#exited(exit) });
    if (options.tickMs !== undefined) {
      this.#ticker = setInterval(() => this.#tick(), options.tickMs).unref();
    }
    this.#checkReady();
  }

  /** Aborted when starting is over, one way or the other. */
  get startSignal(): AbortSignal {
    return this.#starting.signal;
  }

  async send(command: Command): Promise<void> {
    if (this.#exit !== undefined || this.#closing) throw new Error("The agent has ended");
    const replies: Native[] = [];
    this.#tell(this.#conversion.command(command, replies));
    if (replies.length > 0) await this.#options.channel.write(replies);
  }

  close(options: { graceMs?: number } = {}): Promise<void> {
    this.#closing = true;
    return this.#options.channel.end(options);
  }

  diagnosis(): Record<string, unknown> {
    if (this.#exit === undefined) return {};
    const { exitCode, signal, stderr } = this.#exit;
    return { exitCode, signal, stderr };
  }

  /** One array per chunk, no promise and no await per line. */
  #lines(lines: readonly Line[]): void {
    const outputs: AgentOutput[] = [];
    const replies: Native[] = [];
    let weight = 0;
    for (const line of lines) {
      if (line === "") continue;
      const raw = typeof line === "string" ? line : line.head;
      outputs.push({ raw, bodies: this.#conversion.line(line, replies) });
      weight += raw.length;
    }
    if (outputs.length > 0) this.events.push(outputs, weight);
    this.#reply(replies);
    this.#checkReady();
  }

  #tick(): void {
    const replies: Native[] = [];
    this.#tell(this.#conversion.tick(Date.now(), replies));
    this.#reply(replies);
    this.#checkReady();
  }

  /** What no line of the agent caused. */
  #tell(bodies: readonly Signal[]): void {
    if (bodies.length > 0) this.events.push([{ bodies }], 0);
  }

  /** Nobody waits for these; an agent that no longer listens is about to exit, and that is reported. */
  #reply(replies: readonly Native[]): void {
    // An agent that cannot be written to has ended, and its exit tells that.
    if (replies.length > 0) this.#options.channel.write(replies).catch(() => {});
  }

  #exited(exit: Omit<AgentExited, "expected">): void {
    this.#exit = exit;
    clearInterval(this.#ticker);
    this.#rejectReady(this.#startFailure(exit));
    this.#tell(this.#conversion.exit({ ...exit, expected: this.#closing }));
    this.events.end();
  }

  /** Facts may come late: an agent may learn its native id with its first answer. */
  #checkReady(): void {
    const known = this.#options.facts(this.#conversion.state);
    if (known === this.#facts) return;
    this.#facts = known;
    const { ready, failure, ...facts } = known;
    if (failure !== undefined) this.#rejectReady(new AgentStartFailure(failure.type, failure.message, failure.details));
    if (!ready) return;
    Object.assign(this, facts);
    this.#settleReady?.resolve();
    this.#settled();
  }

  #rejectReady(error: Error): void {
    this.#settleReady?.reject(error);
    this.#settled();
  }

  #settled(): void {
    this.#settleReady = undefined;
    this.#starting.abort();
  }

  #startFailure({ exitCode, signal }: Omit<AgentExited, "expected">): AgentStartFailure {
    const how = signal === null ? `with code ${exitCode}` : `by ${signal}`;
    return new AgentStartFailure("process_exited", `The agent ended ${how} before it was ready`, this.diagnosis());
  }
}
