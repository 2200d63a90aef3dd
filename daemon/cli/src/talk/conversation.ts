import { randomUUID } from "node:crypto";
import { type Client, ConnectionFailure } from "@muster/client";
import { paintFor } from "@muster/core";
import type { Session, UniversalEvent } from "@muster/schema";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { exitCodes, type Format } from "../environment/exit.ts";
import { Output } from "../environment/output.ts";
import { ConversationText } from "../text/conversation-text.ts";
import { fetchWithProgress } from "../text/install-progress.ts";
import { Interrupts } from "./interrupts.ts";
import { type OpenDaemon, type OpenDaemonOptions, openDaemon } from "./open-daemon.ts";
import { openSession, type SessionWish } from "./open-session.ts";
import { type Person, personAt } from "./person.ts";
import { Requests } from "./requests.ts";
import { runTurn } from "./turn.ts";

export interface ConversationOptions {
  connection: OpenDaemonOptions;
  /** What is asked of the session, once it is known which daemon has it. */
  wish(endpoint: string): SessionWish;
  format: Format;
  /** What comes through a pipe are answers, or messages; otherwise nobody can be asked there. */
  readsAnswers: boolean;
  environment: CommandEnvironment;
}

/** One conversation from a terminal: the daemon, the session and whoever sits there, until `close`. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #output: Output;
  readonly #interrupts = new Interrupts();
  readonly #person: Person;
  readonly #text: ConversationText;
  #daemon: OpenDaemon;
  #client: Client;
  #session: Session;

  /** Finds or starts a daemon, installs the agent where it is missing, and opens the session. */
  static async open(options: ConversationOptions): Promise<Conversation> {
    const daemon = await openDaemon(options.connection, options.environment);
    try {
      const wish = options.wish(daemon.endpoint);
      if (wish.settings.agentVersion === undefined) await install(daemon, wish.agent, options.environment);
      const client = daemon.connect();
      return new Conversation(options, daemon, client, await openSession(client, wish));
    } catch (error) {
      await daemon.close();
      throw error;
    }
  }

  private constructor(options: ConversationOptions, daemon: OpenDaemon, client: Client, session: Session) {
    const { stdin, stdout, env } = options.environment;
    this.#options = options;
    this.#daemon = daemon;
    this.#client = client;
    this.#session = session;
    this.#output = new Output(stdout);
    const isAsked = options.format === "text" && (stdin.isTTY === true || options.readsAnswers);
    this.#person = isAsked ? personAt({ stdin, stdout, onInterrupt: this.#interrupts.press }) : nobody;
    const columns = stdout.isTTY === true ? (stdout.columns ?? 80) : undefined;
    this.#text = new ConversationText({ paint: paintFor(stdout, env), columns });
  }

  get session(): Session {
    return this.#session;
  }

  /** The person wants to leave. */
  get isLeaving(): boolean {
    return this.#interrupts.leaving.aborted;
  }

  /** What the person types next; undefined when there is no more. */
  async read(prompt: string): Promise<string | undefined> {
    this.#interrupts.onFirst(() => this.#options.environment.stdout.write("\nCtrl-C again leaves\n"));
    return await this.#person.ask(prompt, this.#interrupts.leaving);
  }

  /** Sends a message and stays with its turn. Resolves with the exit code. */
  async say(message: string): Promise<number> {
    const messageId = `msg_${randomUUID()}`;
    try {
      return await this.#turn(messageId, message);
    } catch (error) {
      if (this.isLeaving || this.#output.closed.aborted) return exitCodes.interrupted;
      if (!(error instanceof ConnectionFailure) || this.#daemon.isOwn) throw error;
      // The daemon was another command's and went with it. The session is on disk: any daemon can go on with it.
      this.#daemon = await openDaemon(this.#options.connection, this.#options.environment);
      this.#client = this.#daemon.connect();
      return await this.#turn(messageId, message);
    }
  }

  async close(): Promise<void> {
    const { stderr } = this.#options.environment;
    this.#person.close();
    try {
      if (this.isLeaving) return await this.#daemon.kill();
      this.#interrupts.onFirst(() => this.#interrupts.press());
      const onWait = () => stderr.write("another command uses this daemon; it stays until that is done\n");
      await this.#daemon.close(onWait, this.#interrupts.leaving);
    } finally {
      this.#interrupts.close();
    }
  }

  /** JSON at a terminal leaves the answers to whoever reads the events; without one nobody is there, and nobody waits. */
  get #asksHere(): boolean {
    return this.#options.format === "text" || this.#options.environment.stdin.isTTY !== true;
  }

  /** Where a request is shown: the events of JSON have it already. */
  get #asked(): Pick<Output, "write"> {
    return this.#options.format === "text" ? this.#output : { write: async () => {} };
  }

  async #turn(messageId: string, message: string): Promise<number> {
    const { format, environment } = this.#options;
    const { sessionId } = this.#session;
    const client = this.#client;
    const paint = paintFor(environment.stdout, environment.env);
    const output = this.#output;
    this.#interrupts.onFirst(() => {
      environment.stderr.write("\ninterrupting; Ctrl-C again leaves\n");
      // A turn that has just ended needs no interrupt; what else goes wrong the stream tells.
      client.sessions.interrupt({ sessionId }).catch(() => {});
    });
    const requests = this.#asksHere
      ? new Requests({ client, sessionId, person: this.#person, output: this.#asked, paint })
      : undefined;
    const show = (event: UniversalEvent) => (format === "text" ? this.#text.text(event) : `${JSON.stringify(event)}\n`);
    const signal = AbortSignal.any([this.#interrupts.leaving, output.closed]);
    return await runTurn({ client, sessionId, messageId, message, output, show, requests, signal });
  }
}

/** An agent that is not there is installed first, where that can be watched. */
async function install(daemon: OpenDaemon, agent: string, environment: CommandEnvironment): Promise<void> {
  const { installed, capabilities } = await daemon.connect().agents.get({ agent });
  if (installed || capabilities === undefined) return;
  const { stderr } = environment;
  if (stderr.isTTY !== true) stderr.write(`installing ${agent}\n`);
  const client = daemon.connect(stderr.isTTY === true ? fetchWithProgress(environment) : undefined);
  const { version, tested } = await client.agents.install({ agent });
  stderr.write(`installed ${agent} ${version}${tested === false ? ", which this daemon was not tested with" : ""}\n`);
}

const nobody: Person = { ask: async () => undefined, close: () => {} };
