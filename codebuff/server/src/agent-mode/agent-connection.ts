import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { agentModeManager } from "@muster/codebuff-agents";
import { AgentModeClientMessage, type AgentModeServerMessage } from "@muster/codebuff-protocol";
import { type Clock, handleAgentPrompt } from "@muster/codebuff-runtime";
import { isBusy, plainText } from "@muster/sql";
import type { WebSocket } from "ws";
import { suspended } from "../admission/ban.ts";
import { firstIssue } from "../admission/chat-request.ts";
import { keyIsOver } from "../admission/user.ts";
import { readJson } from "../http/request-body.ts";
import { errorFields } from "../log.ts";
import { findCallerBySession } from "../people/callers.ts";
import type { KnownUser } from "../people/sessions.ts";
import { databaseBusy } from "../refusal.ts";
import type { Service } from "../service.ts";
import { type AgentModeRow, begin, claim, keep, type SessionKey } from "./agent-mode-row.ts";
import { gatewayModel } from "./gateway-model.ts";
import { runLedger } from "./run-ledger.ts";

/** Another connection of the same client session took over. */
const superseded = 4409;

/** Whoever opened the connection may not go on. */
const shutOut = 4403;

/** Policy violation. */
const tooMuch = 1008;
const mostWaiting = { count: 32, bytes: 32 * 1024 * 1024 };
/** A client that does not read what it is sent is cut off. */
const mostUnread = 32 * 1024 * 1024;
/** Sessions of one socket whose rows are kept at hand. */
const mostRows = 32;

/** One socket: its messages are worked on one after the other, each from the stored state of its session. */
export class AgentConnection {
  readonly #socket: WebSocket;
  readonly #user: KnownUser;
  readonly #service: Service;
  readonly #gone = new AbortController();
  readonly #rows = new Map<string, AgentModeRow>();
  readonly #ownSession = randomUUID();
  readonly #waiting = { count: 0, bytes: 0 };
  #work: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, user: KnownUser, service: Service) {
    this.#socket = socket;
    this.#user = user;
    this.#service = service;
    socket.on("message", (data: Buffer) => this.#queue(data));
    socket.on("close", () => this.#gone.abort());
    socket.on("error", () => socket.terminate());
  }

  /** Whoever sends faster than it is worked on is cut off: what waits is kept in memory. */
  #queue(data: Buffer): void {
    this.#waiting.count++;
    this.#waiting.bytes += data.length;
    if (this.#waiting.count > mostWaiting.count || this.#waiting.bytes > mostWaiting.bytes) {
      this.#socket.close(tooMuch, "too many messages");
      this.#gone.abort();
      return;
    }
    this.#work = this.#work
      .then(() => this.#receive(data))
      .finally(() => {
        this.#waiting.count--;
        this.#waiting.bytes -= data.length;
      });
  }

  async #receive(data: Buffer): Promise<void> {
    if (this.#gone.signal.aborted) return;
    try {
      await this.#handle(data);
    } catch (error) {
      this.#service.log("error", "a message of agent mode failed", errorFields(error));
      const [code, message] = isBusy(error)
        ? ["unavailable", databaseBusy().message]
        : ["internal_error", "Something is broken here"];
      this.#send({ type: "agent_error", code, message });
    }
  }

  async #handle(data: Buffer): Promise<void> {
    const message = AgentModeClientMessage.safeParse(parse(data));
    if (!message.success) {
      this.#send({ type: "agent_error", code: "bad_message", message: firstIssue(message.error) });
      return;
    }
    if (!(await this.#mayGoOn())) return;
    const action = message.data;
    const sessionId = action.sessionId ?? this.#ownSession;
    const key: SessionKey = { userId: this.#user.id, sessionId };
    const { database } = this.#service;
    const row = this.#rows.get(sessionId) ?? (await claim(database, key, this.#service.now()));
    this.#remember(sessionId, row);
    const seq = action.seq ?? row.lastSeq + 1;
    if (seq <= row.lastSeq && row.lastReply !== undefined) {
      for (const line of row.lastReply) this.#sendLine(line);
      return;
    }
    const begun = await begin(database, key, row, { seq, at: this.#service.now() });
    if (!begun) return this.#leave(sessionId, seq);
    await this.#answer(action, key, begun);
  }

  /** The key may have been revoked and the account banned since the socket was opened: then nothing more is begun. */
  async #mayGoOn(): Promise<boolean> {
    const at = this.#service.now();
    const user = await findCallerBySession(this.#service.database, this.#user.sessionId, { runId: "", at });
    if (user?.banned === 0) return true;
    const { code = "unauthorized", message } = user ? suspended() : keyIsOver();
    this.#send({ type: "agent_error", code, message });
    this.#socket.close(shutOut, code);
    return false;
  }

  async #answer(action: AgentModeClientMessage, key: SessionKey, row: AgentModeRow): Promise<void> {
    const { sessionId } = key;
    const frame = { sessionId, seq: row.lastSeq };
    const reply: string[] = [];
    const { signal } = this.#gone;
    const ledger = runLedger(this.#user.id, () => signal.aborted, this.#service);
    let calls = 0;
    const model = gatewayModel(
      {
        userId: this.#user.id,
        keyId: this.#user.sessionId,
        nextRequestId: () => plainText(`am:${this.#user.id}:${sessionId}:${row.revision}:${row.attempt}:${++calls}`),
      },
      this.#service,
    );
    const state = await handleAgentPrompt(
      // With calls open the stored state is the truth, whatever a client claims.
      row.state.open === undefined ? action : { ...action, agentState: row.state },
      {
        state: row.state,
        agent: agentModeManager,
        model: this.#service.config.agentModeModel,
        signal,
        send: (message) => {
          if (message.type === "agent_response_chunk") this.#send({ ...message, ...frame });
          else reply.push(JSON.stringify({ ...message, ...frame }));
        },
      },
      { model, ledger, clock, log: silentLog },
    );
    await ledger.drain();
    // A client that left gets the work redone when it comes back, so nothing of this is kept.
    if (signal.aborted) return;
    const kept = await keep(this.#service.database, key, row, { state, reply, at: this.#service.now() });
    if (!kept) return this.#leave(sessionId, row.lastSeq);
    this.#remember(sessionId, kept);
    for (const line of reply) this.#sendLine(line);
  }

  #remember(sessionId: string, row: AgentModeRow): void {
    this.#rows.delete(sessionId);
    this.#rows.set(sessionId, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > mostRows && oldest !== undefined) this.#rows.delete(oldest);
  }

  #leave(sessionId: string, seq: number): void {
    this.#rows.delete(sessionId);
    const message = "A newer connection has taken over this session";
    this.#send({ type: "agent_error", code: "superseded", message, sessionId, seq });
    this.#socket.close(superseded, "superseded");
  }

  #send(message: AgentModeServerMessage): void {
    this.#sendLine(JSON.stringify(message));
  }

  #sendLine(line: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > mostUnread) this.#socket.terminate();
    else this.#socket.send(line);
  }
}

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  newId: () => randomUUID(),
};

/** The state of a session is its row; there is no journal beside it. */
const silentLog = { write: async () => {}, warn: () => {} };

function parse(data: Buffer): unknown {
  try {
    return readJson(data);
  } catch {
    // Refused by the schema like any other frame that is no message.
    return undefined;
  }
}
