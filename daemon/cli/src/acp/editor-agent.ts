import { randomUUID } from "node:crypto";
import type {
  ClientCapabilities,
  InitializeRequest,
  InitializeResponse,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
  PromptResponse,
  SessionUpdate,
  SetSessionConfigOptionResponse,
  StopReason,
} from "@agentclientprotocol/sdk";
import type { Client } from "@muster/client";
import {
  type Body,
  type CreateSession,
  Failure,
  type Session,
  type UniversalEvent,
  type UpdateSession,
} from "@muster/schema";
import type { Handler, JsonRpcPeer } from "./json-rpc.ts";
import { askPermission, askQuestion } from "./person.ts";
import { messageOf } from "./prompt-content.ts";
import { changeOf, mcpOf, type Offer, offerOf, settingsOf } from "./session-settings.ts";
import { SessionUpdates } from "./session-updates.ts";

export interface EditorAgentOptions {
  client: Client;
  agent: string;
  /** Of every session the editor begins. */
  settings: Omit<CreateSession, "agent" | "directory">;
  version: string;
}

/** The one version there is; unknown newer ones are answered with it, as the protocol wants. */
const protocolVersion = 1;

/** An agent of ours as editors know one: each of their sessions is a session of the daemon and outlives the editor. */
export class EditorAgent {
  readonly #options: EditorAgentOptions;
  readonly #leave = new AbortController();
  #capabilities: ClientCapabilities = {};
  #offer: Promise<Offer> | undefined;
  #peer: JsonRpcPeer | undefined;

  constructor(options: EditorAgentOptions) {
    this.#options = options;
  }

  /** method → what answers it. */
  readonly handlers: Readonly<Record<string, Handler>> = {
    initialize: (params) => this.#initialize(params as unknown as InitializeRequest),
    authenticate: () => ({}),
    "session/new": (params) => this.#begin(params as unknown as NewSessionRequest),
    "session/load": (params) => this.#load(params as unknown as LoadSessionRequest),
    "session/resume": (params) => this.#resume(params as unknown as LoadSessionRequest),
    "session/list": (params) => this.#list(params),
    "session/close": ({ sessionId }) => this.#client.sessions.interrupt({ sessionId: String(sessionId) }),
    "session/delete": ({ sessionId }) => this.#client.sessions.delete({ sessionId: String(sessionId) }),
    "session/set_mode": ({ sessionId, modeId }) => this.#change(sessionId, { agentMode: String(modeId) }),
    "session/set_config_option": ({ sessionId, configId, value }) => this.#setOption(sessionId, configId, value),
    "session/prompt": ({ sessionId, prompt }) => this.#prompt(String(sessionId), prompt),
    "session/cancel": ({ sessionId }) => this.#client.sessions.interrupt({ sessionId: String(sessionId) }),
  };

  /** Until the editor leaves; a turn that is open then goes on without it, as far as the daemon does. */
  async serve(peer: JsonRpcPeer): Promise<void> {
    this.#peer = peer;
    try {
      await peer.run();
    } finally {
      this.#leave.abort();
      await peer.settled();
    }
  }

  get #client(): Client {
    return this.#options.client;
  }

  async #initialize({ clientCapabilities }: InitializeRequest): Promise<InitializeResponse> {
    this.#capabilities = clientCapabilities ?? {};
    const { info } = await this.#offered();
    return {
      protocolVersion,
      agentInfo: {
        name: `muster-${this.#options.agent}`,
        title: `${info.name} by Muster`,
        version: this.#options.version,
      },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: info.capabilities?.images === true, embeddedContext: true },
        mcpCapabilities: { http: info.capabilities?.mcp === true },
        sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async #begin({ cwd, mcpServers }: NewSessionRequest): Promise<NewSessionResponse> {
    const { agent, settings } = this.#options;
    const offer = await this.#offered();
    const mcp = offer.info.capabilities?.mcp && mcpServers?.length > 0 ? mcpOf(mcpServers as McpServer[]) : undefined;
    const created = await this.#client.sessions.create({ agent, directory: cwd, ...settings, ...(mcp && { mcp }) });
    const { healthy, error, session } = created;
    if (!healthy) {
      await this.#client.sessions.delete({ sessionId: session.sessionId });
      throw new Failure(
        error?.type === "token_error" ? "credentials_required" : "agent_unhealthy",
        error?.message ?? "",
      );
    }
    return { sessionId: session.sessionId, ...settingsOf(session, offer) };
  }

  /** The whole conversation again as updates, before the answer. */
  async #load({ sessionId }: LoadSessionRequest): Promise<LoadSessionResponse> {
    const session = await this.#ownSession(sessionId);
    const updates = new SessionUpdates({ showsUser: true });
    for (let offset = 0; ; ) {
      const { events, hasMore } = await this.#client.sessions.getEvents({ sessionId, offset, deltas: false });
      for (const event of events) await this.#tell(sessionId, updates.push(event));
      offset = events.at(-1)?.sequence ?? offset;
      if (!hasMore) break;
    }
    return settingsOf(session, await this.#offered());
  }

  async #resume({ sessionId }: LoadSessionRequest): Promise<LoadSessionResponse> {
    return settingsOf(await this.#ownSession(sessionId), await this.#offered());
  }

  async #list({ cwd, cursor }: Record<string, unknown>): Promise<ListSessionsResponse> {
    const { sessions, hasMore } = await this.#client.sessions.list({
      agent: this.#options.agent,
      directory: typeof cwd === "string" ? cwd : undefined,
      after: typeof cursor === "string" ? cursor : undefined,
      order: "updated",
    });
    return {
      sessions: sessions
        .filter(({ state }) => state !== "unreadable")
        .map(({ sessionId, directory, title, updatedAt }) => ({ sessionId, cwd: directory, title, updatedAt })),
      nextCursor: hasMore ? sessions.at(-1)?.sessionId : undefined,
    };
  }

  async #change(sessionId: unknown, change: UpdateSession): Promise<Session> {
    return await this.#client.sessions.update({ sessionId: String(sessionId), ...change });
  }

  async #setOption(sessionId: unknown, configId: unknown, value: unknown): Promise<SetSessionConfigOptionResponse> {
    const session = await this.#change(sessionId, changeOf(String(configId), String(value)));
    const { configOptions } = settingsOf(session, await this.#offered());
    return { configOptions };
  }

  async #prompt(sessionId: string, prompt: unknown): Promise<PromptResponse> {
    const messageId = `msg_${randomUUID()}`;
    const message = { sessionId, messageId, ...messageOf(prompt) };
    const updates = new SessionUpdates({ showsUser: false });
    for await (const event of this.#client.sessions.streamMessage(message, { signal: this.#leave.signal })) {
      await this.#tell(sessionId, updates.push(event));
      this.#ask(sessionId, event, updates);
      if (event.type === "turn.ended") return { stopReason: stopReason(event.data) };
    }
    return { stopReason: "cancelled" };
  }

  async #tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    for (const update of updates) await this.#peer?.notify("session/update", { sessionId, update });
  }

  /** Beside the stream: others may answer meanwhile, and the turn may end. */
  #ask(sessionId: string, event: UniversalEvent, updates: SessionUpdates): void {
    if (event.type !== "permission.requested" && event.type !== "question.requested") return;
    const answering = this.#answer(sessionId, event, updates.callOf(event.data.itemId));
    answering.catch((error: unknown) => {
      // Somebody else was first, the turn is over, or the editor has gone: nobody waits for this answer any more.
      if (error instanceof Failure || this.#leave.signal.aborted) return;
      void this.#tell(sessionId, [
        { sessionUpdate: "notice", severity: "error", title: "The answer was lost", description: String(error) },
      ]);
    });
  }

  async #answer(
    sessionId: string,
    { type, data }: Extract<UniversalEvent, { type: "permission.requested" | "question.requested" }>,
    callId: string | undefined,
  ): Promise<void> {
    const { peer, sessions } = { peer: this.#peer, sessions: this.#client.sessions };
    if (peer === undefined) return;
    const person = { peer, capabilities: this.#capabilities, sessionId };
    const { permissions, questions } = await sessions.listRequests({ sessionId });
    if (type === "permission.requested") {
      const { permissionId } = data;
      // A rule may have answered it already.
      if (!permissions.some((one) => one.permissionId === permissionId)) return;
      const reply = (await askPermission(person, data, callId)) ?? "reject";
      return await sessions.replyPermission({ sessionId, permissionId, reply });
    }
    const { questionId } = data;
    if (!questions.some((one) => one.questionId === questionId)) return;
    const answers = await askQuestion(person, data, callId);
    if (answers !== undefined) return await sessions.replyQuestion({ sessionId, questionId, answers });
    await sessions.rejectQuestion({ sessionId, questionId, message: "The person did not answer in the editor" });
  }

  async #ownSession(sessionId: string): Promise<Session> {
    const session = await this.#client.sessions.get({ sessionId });
    if (session.agent === this.#options.agent) return session;
    throw new Failure("invalid_request", `The session ${sessionId} is one of ${session.agent}`);
  }

  #offered(): Promise<Offer> {
    this.#offer ??= offerOf(this.#client, this.#options.agent);
    return this.#offer;
  }
}

/** How a turn ended, in the editor's words; one that failed is an error of the prompt. */
function stopReason({ status, cause, message }: Body<"turn.ended">["data"]): StopReason {
  if (status === "completed") return "end_turn";
  if (status === "interrupted") return "cancelled";
  if (cause === "output_limit") return "max_tokens";
  if (cause === "max_steps") return "max_turn_requests";
  if (cause === "refused") return "refusal";
  throw new Error([cause ?? status, message].filter(Boolean).join(": "));
}
