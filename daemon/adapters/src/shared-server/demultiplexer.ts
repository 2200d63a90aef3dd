import type { Line } from "@muster/node";
import { unparsed, unparsedLine } from "../converter/unparsed.ts";
import { noStderr } from "../process/stderr-record.ts";
import type { AgentExited } from "../signals.ts";
import type { ServerLog } from "./server-log.ts";
import { SessionInbox } from "./session-inbox.ts";

/** How the lines of a server are told apart. */
export interface ServerProtocol {
  /** The session a line belongs to, by the agent's own id; null for a line of the server itself. */
  route(native: unknown): string | null;
  /** Takes a line of the server itself that somebody waits for; one that is not taken goes to the log. */
  take?(native: unknown): boolean;
  /** True for the last line of a session. */
  closes?(native: unknown): boolean;
  /** An id that from this line on belongs to the session of this line: a sub-agent has a thread of its own. */
  adopts?(native: unknown): string | undefined;
}

export interface DemultiplexerOptions {
  protocol: ServerProtocol;
  log: ServerLog;
  spillDirectory: string;
  /** Part of the spill files' names. */
  name: string;
  memoryBytes?: number | undefined;
  /** How long lines of a session nobody knows are kept for it: an agent may speak before it has told the id. */
  holdMs?: number | undefined;
}

interface Held {
  lines: string[];
  timer: NodeJS.Timeout;
}

const heldBytesLimit = 4 * 1024 * 1024;

/** One stream of lines in, one inbox per session out. It never waits, so a session that does not read stops nobody. */
export class Demultiplexer {
  readonly #options: DemultiplexerOptions;
  readonly #inboxes = new Map<string, SessionInbox>();
  /** Ids of sub-agents → the session they work for. */
  readonly #adopted = new Map<string, string>();
  readonly #held = new Map<string, Held>();
  #heldBytes = 0;
  #spills = 0;
  #exit: Omit<AgentExited, "expected"> | undefined;

  constructor(options: DemultiplexerOptions) {
    this.#options = options;
  }

  /** Everything the server says for this session, including what it said in the last `holdMs`. */
  attach(session: string): SessionInbox {
    if (this.#inboxes.has(session)) throw new Error(`Session ${session} is attached already`);
    const { memoryBytes = 1024 * 1024, spillDirectory, name } = this.#options;
    this.#spills++;
    const inbox = new SessionInbox({ memoryBytes, spillDirectory, spillName: `${name}-${this.#spills}.jsonl` });
    this.#inboxes.set(session, inbox);
    for (const line of this.#release(session)) inbox.push(line);
    if (this.#exit !== undefined) inbox.finish(this.#exit);
    return inbox;
  }

  detach(session: string): void {
    this.#inboxes.delete(session);
    for (const [child, owner] of this.#adopted) if (owner === session) this.#adopted.delete(child);
  }

  lines(lines: readonly Line[]): void {
    const touched = new Set<SessionInbox>();
    const strangers: object[] = [];
    for (const line of lines) {
      if (typeof line !== "string") strangers.push(unparsedLine(line));
      else if (line !== "") this.#line(line, touched, strangers);
    }
    if (strangers.length > 0) this.#options.log.write(strangers);
    for (const inbox of touched) inbox.flush();
  }

  /** The server's death is the end of every session on it. */
  exit(exit: Omit<AgentExited, "expected">): void {
    this.#exit = exit;
    for (const session of [...this.#held.keys()]) this.#giveUp(session);
    const inboxes = [...this.#inboxes.values()];
    this.#inboxes.clear();
    for (const inbox of inboxes) inbox.finish(exit);
  }

  #line(line: string, touched: Set<SessionInbox>, strangers: object[]): void {
    const { protocol } = this.#options;
    let native: unknown;
    try {
      native = JSON.parse(line);
    } catch (error) {
      strangers.push(unparsed(line, (error as Error).message, "json"));
      return;
    }
    const id = protocol.route(native);
    if (id === null) {
      if (protocol.take?.(native) !== true) strangers.push({ raw: native });
      return;
    }
    const session = this.#adopted.get(id) ?? id;
    const inbox = this.#inboxes.get(session);
    if (inbox === undefined) {
      this.#hold(session, line);
      return;
    }
    inbox.push(line);
    this.#adopt(protocol.adopts?.(native), session, inbox);
    if (protocol.closes?.(native) === true) {
      this.detach(session);
      inbox.finish({ exitCode: 0, signal: null, stderr: noStderr });
    } else touched.add(inbox);
  }

  #adopt(child: string | undefined, session: string, inbox: SessionInbox): void {
    if (child === undefined || child === session || this.#adopted.has(child)) return;
    this.#adopted.set(child, session);
    for (const line of this.#release(child)) inbox.push(line);
  }

  #hold(session: string, line: string): void {
    let held = this.#held.get(session);
    if (held === undefined) {
      const timer = setTimeout(() => this.#giveUp(session), this.#options.holdMs ?? 5_000).unref();
      held = { lines: [], timer };
      this.#held.set(session, held);
    }
    held.lines.push(line);
    this.#heldBytes += line.length;
    if (this.#heldBytes > heldBytesLimit) this.#giveUp(session);
  }

  #giveUp(session: string): void {
    const lines = this.#release(session);
    this.#options.log.write(lines.map((line) => unparsed(line, `No session has the id ${session}`, "demultiplexer")));
  }

  #release(session: string): string[] {
    const held = this.#held.get(session);
    if (held === undefined) return [];
    clearTimeout(held.timer);
    this.#held.delete(session);
    for (const line of held.lines) this.#heldBytes -= line.length;
    return held.lines;
  }
}
