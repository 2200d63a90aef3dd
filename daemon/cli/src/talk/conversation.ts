import { randomUUID } from "node:crypto";
import { ConnectionFailure } from "@muster/client";
import { paintFor } from "@muster/core";
import { Output } from "@muster/node";
import type { Attachment, Session, UniversalEvent } from "@muster/schema";
import { columnsOf } from "../environment/columns.ts";
import { exitCodes, type Format } from "../environment/exit.ts";
import { Region } from "../terminal/region.ts";
import { ConversationText } from "../text/conversation-text.ts";
import { Interrupts } from "./interrupts.ts";
import { growingFor } from "./look.ts";
import { openTalk, type Talk, type TalkOptions } from "./open-talk.ts";
import { type Person, personAt } from "./person.ts";
import { Requests } from "./requests.ts";
import { runTurn } from "./turn.ts";

export interface ConversationOptions extends TalkOptions {
  format: Format;
  /** What comes through a pipe are answers, or messages; otherwise nobody can be asked there. */
  readsAnswers: boolean;
}

/** One conversation, message by message: the daemon, the session and whoever answers, until `close`. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #talk: Talk;
  readonly #output: Output;
  readonly #interrupts = new Interrupts();
  readonly #person: Person;
  readonly #text: ConversationText;
  /** Where a terminal shows lines that still change. */
  readonly #region: Region | undefined;

  static async open(options: ConversationOptions): Promise<Conversation> {
    const talk = await openTalk(options);
    const { stdout, env } = options.environment;
    return new Conversation(options, talk, await growingFor(stdout, env));
  }

  private constructor(options: ConversationOptions, talk: Talk, growing: Awaited<ReturnType<typeof growingFor>>) {
    const { stdin, stdout, env } = options.environment;
    this.#options = options;
    this.#talk = talk;
    this.#output = new Output(stdout);
    const isAsked = options.format === "text" && (stdin.isTTY === true || options.readsAnswers);
    this.#person = isAsked ? personAt({ stdin, stdout, onInterrupt: this.#interrupts.press }) : nobody;
    this.#text = new ConversationText({ paint: paintFor(stdout, env), columns: columnsOf(stdout), growing });
    if (growing !== undefined && options.format === "text") this.#region = new Region(stdout);
  }

  get session(): Session {
    return this.#talk.session;
  }

  get endpoint(): string {
    return this.#talk.daemon.endpoint;
  }

  get isContinued(): boolean {
    return this.#talk.isContinued;
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
  async say(message: string, attachments: readonly Attachment[] = []): Promise<number> {
    try {
      return await this.#turn(message, attachments);
    } catch (error) {
      if (this.isLeaving || this.#output.closed.aborted) return exitCodes.interrupted;
      if (this.#options.format === "text") await this.#output.write(this.#frame(this.#text.end(), []));
      throw error instanceof ConnectionFailure ? daemonGone(error, this.session) : error;
    }
  }

  async close(): Promise<void> {
    const { stderr } = this.#options.environment;
    const { daemon } = this.#talk;
    this.#person.close();
    try {
      if (this.isLeaving) return await daemon.kill();
      this.#interrupts.onFirst(() => this.#interrupts.press());
      const onWait = () => stderr.write("another command uses this daemon; it stays until that is done\n");
      await daemon.close(onWait, this.#interrupts.leaving);
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

  async #turn(message: string, attachments: readonly Attachment[]): Promise<number> {
    const { environment } = this.#options;
    const { client } = this.#talk;
    const { sessionId } = this.session;
    const output = this.#output;
    this.#interrupts.onFirst(() => {
      this.#tell("interrupting; Ctrl-C again leaves");
      // A turn that has just ended needs no interrupt; what else goes wrong the stream tells.
      client.sessions.interrupt({ sessionId }).catch(() => {});
    });
    const requests = this.#asksHere
      ? new Requests({
          client,
          sessionId,
          person: this.#person,
          output: this.#asked,
          paint: paintFor(environment.stdout, environment.env),
          hasShown: (text) => this.#text.hasShown(text),
        })
      : undefined;
    const signal = AbortSignal.any([this.#interrupts.leaving, output.closed]);
    const sent = { messageId: `msg_${randomUUID()}`, message, attachments: [...attachments] };
    return await runTurn({ client, sessionId, sent, output, show: (event) => this.#show(event), requests, signal });
  }

  #show(event: UniversalEvent): string {
    if (this.#options.format === "json") return `${JSON.stringify(event)}\n`;
    return this.#frame(this.#text.text(event), this.#text.live());
  }

  #frame(text: string, live: readonly string[]): string {
    return this.#region === undefined ? text : this.#region.frame(text, live);
  }

  /** A word of ours: where lines still change above them, otherwise beside the output. */
  #tell(words: string): void {
    const { stdout, stderr } = this.#options.environment;
    if (this.#region === undefined) stderr.write(`\n${words}\n`);
    else stdout.write(this.#region.frame(`${this.#text.end()}${words}\n`, []));
  }
}

/** What to do when the daemon went away under a conversation. */
export function daemonGone({ endpoint }: ConnectionFailure, { agent, sessionId }: Session): ConnectionFailure {
  const again = `sandbox-daemon run ${agent} --session ${sessionId} "…" goes on when it runs again`;
  return new ConnectionFailure(endpoint, `it has gone; the conversation is kept: ${again}`);
}

const nobody: Person = { ask: async () => undefined, close: () => {} };
