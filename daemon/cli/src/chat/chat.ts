import { randomUUID } from "node:crypto";
import { type Client, ConnectionFailure } from "@muster/client";
import { messageOf, type Paint, paintFor } from "@muster/core";
import { type Attachment, Failure, type Session, type UniversalEvent } from "@muster/schema";
import { dataDirectoryOf } from "../default-places.ts";
import { columnsOf } from "../environment/columns.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { exitCodes, UsageError } from "../environment/exit.ts";
import { isLoopback } from "../environment/loopback.ts";
import { commandWords } from "../remedies.ts";
import { attachmentOf, type FilePlace, namedFiles } from "../talk/attachments.ts";
import { daemonGone } from "../talk/conversation.ts";
import { growingFor } from "../talk/look.ts";
import type { Talk } from "../talk/open-talk.ts";
import { Requests } from "../talk/requests.ts";
import { PromptScreen } from "../terminal/prompt-screen.ts";
import { ConversationText } from "../text/conversation-text.ts";
import { printable } from "../text/printable.ts";
import { relativeTime } from "../text/relative-time.ts";
import { completionOf } from "./completion.ts";
import { Outbox } from "./outbox.ts";
import { PromptHistory } from "./prompt-history.ts";
import { slashCommandOf } from "./slash-commands.ts";

export interface ChatOptions {
  talk: Talk;
  environment: CommandEnvironment;
  /** Where what was written is remembered. */
  dataDirectory?: string;
}

/** A chat at a terminal: the session is followed from here on, and whoever sits there may write at any time. */
export class Chat {
  readonly environment: CommandEnvironment;
  readonly client: Client;
  readonly paint: Paint;
  readonly screen: PromptScreen;
  readonly #talk: Talk;
  readonly #growing: Awaited<ReturnType<typeof growingFor>>;
  readonly #history: PromptHistory;
  readonly #leaving = new AbortController();
  readonly #stop = () => this.leave(exitCodes.interrupted);
  #session: Session;
  #text: ConversationText;
  #requests: Requests;
  #isWorking = false;
  /** Ctrl-C was pressed and has not had its effect yet. */
  #isPressed = false;
  #code: number = exitCodes.ok;
  readonly #outbox = new Outbox();
  /** Ends the reading of a session that was left for another. */
  #follow = new AbortController();

  static async open({ talk, environment, dataDirectory }: ChatOptions): Promise<Chat> {
    const { stdout, env } = environment;
    const history = new PromptHistory(dataDirectory ?? dataDirectoryOf(environment));
    return new Chat(talk, environment, history, await history.read(), await growingFor(stdout, env));
  }

  private constructor(
    talk: Talk,
    environment: CommandEnvironment,
    history: PromptHistory,
    typed: readonly string[],
    growing: Awaited<ReturnType<typeof growingFor>>,
  ) {
    const { stdin, stdout, env } = environment;
    this.#talk = talk;
    this.environment = environment;
    this.client = talk.client;
    this.paint = paintFor(stdout, env);
    this.#growing = growing;
    this.#history = history;
    this.#session = talk.session;
    this.screen = new PromptScreen({
      stdin,
      stdout,
      paint: this.paint,
      history: typed,
      onLine: (text) => void this.#onLine(text),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.leave(exitCodes.ok),
      complete: (before) => completionOf(before, this.place.directory),
    });
    this.#text = this.#newText();
    this.#requests = this.#newRequests();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, this.#stop);
  }

  get session(): Session {
    return this.#session;
  }

  /** Where `@file` and `/attach` look. */
  get place(): FilePlace {
    const isLocal = isLoopback(this.#talk.daemon.endpoint);
    return { directory: isLocal ? this.#session.directory : this.environment.directory, isLocal };
  }

  /** Until the person leaves. Resolves with the exit code; throws when the daemon has gone. */
  async run(first?: string, attached: readonly Attachment[] = []): Promise<number> {
    this.#outbox.files = attached;
    this.#greet(this.#talk.isContinued);
    try {
      await this.#join();
      if (first !== undefined) void this.#onLine(first);
      while (!this.#leaving.signal.aborted) await this.#followSession();
    } catch (error) {
      if (!this.#leaving.signal.aborted)
        throw error instanceof ConnectionFailure ? daemonGone(error, this.#session) : error;
    } finally {
      await this.screen.write(this.#text.end());
      this.screen.live = [];
      this.screen.close();
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, this.#stop);
    }
    return this.#code;
  }

  leave(code: number): void {
    this.#code = code;
    this.#leaving.abort();
    this.#follow.abort();
  }

  /** Lines of ours, apart from those of the agent. */
  tell(text: string): void {
    void this.screen.write(`${this.#text.end()}\n${text.trimEnd()}\n`);
  }

  /** Goes on with another session of this daemon. */
  async change(sessionId: string): Promise<void> {
    this.#session = await this.client.sessions.get({ sessionId });
    this.#outbox.clear();
    this.#text = this.#newText();
    this.#requests = this.#newRequests();
    this.#greet(true);
    this.#follow.abort();
    await this.#join();
  }

  /** The session may be at work already, and wait for somebody. */
  async #join(): Promise<void> {
    const { sessionId, turnId, pendingRequests } = this.#session;
    this.#isWorking = turnId !== undefined;
    if (pendingRequests === 0) return;
    this.#requests.seeOpen(await this.client.sessions.listRequests({ sessionId }));
    void this.#ask();
  }

  attach(attachment: Attachment): void {
    this.#outbox.files = [...this.#outbox.files, attachment];
    this.#showNotes();
  }

  /** Settings of the session, told by the daemon's answer. */
  async update(change: {
    model?: string;
    agentMode?: string;
    permissionMode?: Session["permissionMode"];
  }): Promise<void> {
    this.#session = await this.client.sessions.update({ sessionId: this.#session.sessionId, ...change });
  }

  async send(text: string, delivery: "queue" | "steer"): Promise<void> {
    const messageId = `msg_${randomUUID()}`;
    const named = await Promise.all((await namedFiles(text, this.place)).map((path) => attachmentOf(path, this.place)));
    const attachments = [...this.#outbox.files, ...named];
    this.#outbox.add(messageId, { text, how: delivery === "queue" ? "queued" : "steering" });
    this.#showNotes();
    try {
      const { sessionId } = this.#session;
      await this.client.sessions.sendMessage({ sessionId, messageId, message: text, attachments, delivery });
      this.#outbox.files = [];
    } catch (error) {
      // Not sent: it stands in the prompt again, unless something else does by now.
      this.#outbox.take(messageId);
      if (this.screen.text === "") this.screen.text = text;
      throw error;
    } finally {
      this.#showNotes();
    }
  }

  async #onLine(text: string): Promise<void> {
    this.#isPressed = false;
    await this.#history.add(text);
    try {
      const command = slashCommandOf(text);
      if (command === undefined) await this.send(text, "queue");
      else await command.run(this, command.rest);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What the person can do something about is told; a daemon that has gone ends the chat, which its events tell. */
  #fail(error: unknown): void {
    if (error instanceof ConnectionFailure) return;
    const words = error instanceof Failure ? commandWords(error) : messageOf(error);
    if (!(error instanceof Failure) && !(error instanceof UsageError)) throw error;
    this.tell(this.paint.red(`! ${printable(words)}`));
  }

  async #followSession(): Promise<void> {
    this.#follow = new AbortController();
    const { signal } = this.#follow;
    const { sessionId, lastSequence } = this.#session;
    try {
      for await (const event of this.client.sessions.streamEvents({ sessionId, offset: lastSequence }, { signal })) {
        await this.#see(event);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #see(event: UniversalEvent): Promise<void> {
    if (event.type === "message.updated") await this.#seeMessage(event.data);
    if (event.type === "turn.started") this.#isWorking = true;
    if (event.type === "turn.ended") this.#isWorking = this.#isPressed = false;
    if (event.type === "permission.requested" || event.type === "question.requested") this.#isPressed = false;
    await this.screen.write(this.#text.text(event));
    const live = this.#text.live();
    const isSilent = this.#isWorking && live.length === 0 && !this.screen.isAsking;
    this.screen.live = isSilent ? ["", this.paint.dim("… working; Ctrl-C interrupts")] : live;
    const wasAsking = this.#requests.asking !== undefined;
    this.#requests.see(event);
    if (!wasAsking && this.#requests.asking !== undefined) void this.#ask();
  }

  /** Asks one after the other; meanwhile events go on above. */
  async #ask(): Promise<void> {
    try {
      for (const requests = this.#requests; requests.asking !== undefined; requests.next()) {
        this.screen.live = [];
        await requests.asking;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A message of ours stands in the conversation where the agent got it. */
  async #seeMessage({ messageId, status }: { messageId: string; status: string }): Promise<void> {
    const sent = status === "queued" ? undefined : this.#outbox.take(messageId);
    this.#showNotes();
    if (sent === undefined || (status !== "given" && status !== "joined")) return;
    const [line = "", ...others] = printable(sent.text).split("\n");
    const mark = status === "joined" ? this.paint.dim("  (steered)") : "";
    const rows = [`${this.paint.bold(`› ${line}`)}${mark}`, ...others.map((other) => this.paint.bold(`  ${other}`))];
    await this.screen.write(this.#text.said(rows.join("\n")));
  }

  #showNotes(): void {
    this.screen.notes = this.#outbox.lines(this.#isWorking);
  }

  /** Ctrl-C: ends the turn, or clears what is written, or leaves when it is pressed twice. What is queued stays. */
  #interrupt(): void {
    const wasPressed = this.#isPressed;
    if (!this.#isWorking && this.screen.text !== "") {
      this.screen.text = "";
      return;
    }
    if (wasPressed) return this.leave(exitCodes.interrupted);
    this.#isPressed = true;
    if (!this.#isWorking) return this.tell("Ctrl-C again leaves");
    this.tell("interrupting; Ctrl-C again leaves");
    // A turn that has just ended needs no interrupt; what else goes wrong the stream tells.
    this.client.sessions.interrupt({ sessionId: this.#session.sessionId }).catch(() => {});
  }

  #newText(): ConversationText {
    return new ConversationText({
      paint: this.paint,
      columns: columnsOf(this.environment.stdout),
      growing: this.#growing,
    });
  }

  #newRequests(): Requests {
    const { client, screen, paint } = this;
    const { sessionId } = this.#session;
    const hasShown = (text: string) => this.#text.hasShown(text);
    return new Requests({ client, sessionId, person: screen, output: screen, paint, hasShown });
  }

  #greet(isContinued: boolean): void {
    const { sessionId, agent, agentVersion, model, directory, name, lastUsedAt } = this.#session;
    const who = [agent, agentVersion, model].filter(Boolean).join(" ");
    const lines = [`${who} in ${directory} · session ${sessionId}`];
    if (isContinued && name !== undefined)
      lines.push(`goes on with: ${name} · ${relativeTime(lastUsedAt, Date.now())}`);
    lines.push("/help tells what there is; Ctrl-C interrupts, Ctrl-D leaves");
    void this.screen.write(lines.map((line) => `${this.paint.dim(printable(line))}\n`).join(""));
  }
}
