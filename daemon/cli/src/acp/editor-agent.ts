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
  SetSessionConfigOptionResponse,
  SetSessionModeResponse,
} from "@agentclientprotocol/sdk";
import type { Client } from "@muster/client";
import {
  type CreateSession,
  type McpServer as DaemonMcpServer,
  Failure,
  type Session,
  type UniversalEvent,
  type UpdateSession,
} from "@muster/schema";
import type { Handler, JsonRpcPeer } from "./json-rpc.ts";
import { OpenSession } from "./open-session.ts";
import { readPrompt } from "./prompt-content.ts";
import { changeOf, mcpOf, type Offer, offerOf, settingsOf } from "./session-settings.ts";
import { titleOf } from "./session-title.ts";
import { SessionUpdates } from "./session-updates.ts";

export interface EditorAgentOptions {
  client: Client;
  agent: string;
  /** Of every session the editor begins. */
  settings: Omit<CreateSession, "agent" | "directory">;
  version: string;
}

/** With `session/fork`, which is a draft of the protocol: the types of its library have no word for it yet. */
const sessionCapabilities = { list: {}, delete: {}, resume: {}, close: {}, fork: {} };

type ForkSessionRequest = Pick<LoadSessionRequest, "sessionId" | "cwd" | "mcpServers">;

/** Sessions in one answer to a list; each without a title is asked for the first thing that was said in it. */
const listed = 50;

/** The one version there is; unknown newer ones are answered with it, as the protocol wants. */
const protocolVersion = 1;

/** An agent of ours as editors know one: each of their sessions is a session of the daemon and outlives the editor. */
export class EditorAgent {
  readonly #options: EditorAgentOptions;
  readonly #leave = new AbortController();
  #capabilities: ClientCapabilities = {};
  #offer: Promise<Offer> | undefined;
  #peer: JsonRpcPeer | undefined;
  readonly #open = new Map<string, OpenSession>();

  constructor(options: EditorAgentOptions) {
    this.#options = options;
  }

  /** method → what answers it. */
  readonly handlers: Readonly<Record<string, Handler>> = {
    initialize: (params) => this.#initialize(params as unknown as InitializeRequest),
    authenticate: ({ methodId }) => refuseMethod(methodId),
    "session/new": (params) => this.#begin(params as unknown as NewSessionRequest),
    "session/load": (params) => this.#load(params as unknown as LoadSessionRequest),
    "session/resume": (params) => this.#resume(params as unknown as LoadSessionRequest),
    "session/fork": (params) => this.#fork(params as unknown as ForkSessionRequest),
    "session/list": (params) => this.#list(params),
    "session/close": ({ sessionId }) => this.#close(String(sessionId)),
    "session/delete": ({ sessionId }) => this.#delete(String(sessionId)),
    "session/set_mode": ({ sessionId, modeId }) => this.#setMode(sessionId, modeId),
    "session/set_config_option": ({ sessionId, configId, value }) => this.#setOption(sessionId, configId, value),
    "session/prompt": ({ sessionId, prompt }) => this.#prompt(String(sessionId), prompt),
    "session/cancel": ({ sessionId }) => this.#cancel(String(sessionId)),
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
    const info = await this.#client.agents.get({ agent: this.#options.agent });
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
        sessionCapabilities,
      },
      authMethods: [],
    };
  }

  async #begin({ cwd, mcpServers }: NewSessionRequest): Promise<NewSessionResponse> {
    const { agent, settings } = this.#options;
    const mcp = await this.#mcpFor(mcpServers);
    const created = await this.#client.sessions.create({ agent, directory: cwd, ...settings, ...(mcp && { mcp }) });
    const { healthy, error, session } = created;
    if (!healthy) {
      await this.#client.sessions.delete({ sessionId: session.sessionId });
      throw new Failure(
        error?.type === "token_error" ? "credentials_required" : "agent_unhealthy",
        error?.message ?? "",
      );
    }
    this.#openSession(session.sessionId, session.lastSequence);
    // Only now: an agent that was not there before has been installed, and can tell its models.
    return { sessionId: session.sessionId, ...settingsOf(session, await this.#offered()) };
  }

  /** The whole conversation again as updates, before the answer; a turn that is open goes on behind it. */
  async #load({ sessionId, mcpServers }: LoadSessionRequest): Promise<LoadSessionResponse> {
    const session = await this.#ownSession(sessionId, mcpServers);
    const updates = new SessionUpdates({ showsUser: true });
    const told = await this.#replay(session, async (event) => {
      for (const update of updates.push(event)) await this.#peer?.notify("session/update", { sessionId, update });
    });
    this.#openSession(sessionId, told);
    return settingsOf(session, await this.#offered());
  }

  async #resume({ sessionId, mcpServers }: LoadSessionRequest): Promise<LoadSessionResponse> {
    const session = await this.#ownSession(sessionId, mcpServers);
    const isIdle = session.turnId === undefined;
    this.#openSession(sessionId, isIdle ? session.lastSequence : await this.#replay(session, async () => {}));
    return settingsOf(session, await this.#offered());
  }

  /** After its last turn; in another directory than the session's it works in a copy that is made there. */
  async #fork({ sessionId, cwd, mcpServers }: ForkSessionRequest): Promise<NewSessionResponse> {
    const { directory: own } = await this.#ownSession(sessionId, undefined);
    const directory = cwd === own ? undefined : cwd;
    const { sessions } = await this.#client.sessions.fork({ sourceId: sessionId, directory });
    const [made] = sessions;
    if (made === undefined) throw new Failure("cannot_fork", `The session ${sessionId} has no fork`, { sessionId });
    const forked = await this.#ownSession(made.session.sessionId, mcpServers);
    this.#openSession(forked.sessionId, forked.lastSequence);
    return { sessionId: forked.sessionId, ...settingsOf(forked, await this.#offered()) };
  }

  /** Everything before the turn that is open, or up to now; gives the last sequence. */
  async #replay({ sessionId, turnId }: Session, tell: (event: UniversalEvent) => Promise<void>): Promise<number> {
    for (let offset = 0; ; ) {
      const { events, hasMore } = await this.#client.sessions.getEvents({ sessionId, offset, deltas: false });
      for (const event of events) {
        if (event.type === "turn.started" && event.data.turnId === turnId) return event.sequence - 1;
        await tell(event);
        offset = event.sequence;
      }
      if (!hasMore) return offset;
    }
  }

  async #close(sessionId: string): Promise<void> {
    await this.#client.sessions.interrupt({ sessionId });
    this.#forget(sessionId);
  }

  async #delete(sessionId: string): Promise<void> {
    await this.#client.sessions.delete({ sessionId });
    this.#forget(sessionId);
  }

  async #list({ cwd, cursor }: Record<string, unknown>): Promise<ListSessionsResponse> {
    const { sessions, hasMore } = await this.#client.sessions.list({
      agent: this.#options.agent,
      directory: typeof cwd === "string" ? cwd : undefined,
      after: typeof cursor === "string" ? cursor : undefined,
      order: "updated",
      limit: listed,
    });
    const readable = sessions.filter(({ state }) => state !== "unreadable");
    return {
      sessions: await Promise.all(
        readable.map(async (session) => {
          const { sessionId, directory: cwd, updatedAt } = session;
          return { sessionId, cwd, title: await titleOf(this.#client, session), updatedAt };
        }),
      ),
      nextCursor: hasMore ? sessions.at(-1)?.sessionId : undefined,
    };
  }

  async #change(sessionId: unknown, change: UpdateSession): Promise<Session> {
    return await this.#client.sessions.update({ sessionId: String(sessionId), ...change });
  }

  /** What changed is told by its event; the answer has nothing to say. */
  async #setMode(sessionId: unknown, modeId: unknown): Promise<SetSessionModeResponse> {
    await this.#change(sessionId, { agentMode: String(modeId) });
    return {};
  }

  async #setOption(sessionId: unknown, configId: unknown, value: unknown): Promise<SetSessionConfigOptionResponse> {
    const session = await this.#change(sessionId, changeOf(String(configId), String(value)));
    const { configOptions } = settingsOf(session, await this.#offered());
    return { configOptions };
  }

  async #prompt(sessionId: string, prompt: unknown): Promise<PromptResponse> {
    const message = readPrompt(prompt);
    const session = this.#open.get(sessionId) ?? (await this.#resumed(sessionId));
    return { stopReason: await session.prompt(message).catch(tellLostKey) };
  }

  /** An editor may prompt a session that it has not opened with us. */
  async #resumed(sessionId: string): Promise<OpenSession> {
    const session = await this.#ownSession(sessionId);
    return this.#openSession(sessionId, session.lastSequence);
  }

  async #cancel(sessionId: string): Promise<void> {
    const open = this.#open.get(sessionId);
    if (open !== undefined) await open.cancel();
    else await this.#client.sessions.interrupt({ sessionId });
  }

  /** What the editor has open is followed until it closes it. */
  #openSession(sessionId: string, after: number): OpenSession {
    const peer = this.#peer;
    if (peer === undefined) throw new Error("Nobody listens yet");
    this.#open.get(sessionId)?.close();
    const person = { peer, capabilities: this.#capabilities, sessionId };
    const open = new OpenSession({ client: this.#client, person, after, signal: this.#leave.signal });
    this.#open.set(sessionId, open);
    return open;
  }

  #forget(sessionId: string): void {
    this.#open.get(sessionId)?.close();
    this.#open.delete(sessionId);
  }

  /** A session of this agent, with the secrets that a daemon keeps only in memory given to it again. */
  async #ownSession(sessionId: string, mcpServers?: readonly McpServer[]): Promise<Session> {
    const session = await this.#client.sessions.get({ sessionId });
    if (session.agent !== this.#options.agent) {
      throw new Failure("invalid_request", `The session ${sessionId} is one of ${session.agent}`);
    }
    const change = await this.#missing(session, mcpServers);
    return Object.keys(change).length === 0 ? session : await this.#change(sessionId, change);
  }

  /** What a session has lost with a restart of the daemon and this command was given, by the names the session tells. */
  async #missing({ needsCredentials }: Session, mcpServers: readonly McpServer[] | undefined): Promise<UpdateSession> {
    if (needsCredentials === undefined) return {};
    const { token, env = {} } = this.#options.settings;
    const mcp = (await this.#mcpFor(mcpServers)) ?? {};
    const lost = <Value>(group: string, values: Record<string, Value>) => {
      const named = Object.entries(values).filter(([name]) => needsCredentials.includes(`${group}.${name}`));
      return named.length === 0 ? undefined : Object.fromEntries(named);
    };
    const change = {
      token: needsCredentials.includes("token") ? token : undefined,
      env: lost("env", env),
      mcp: lost("mcp", mcp),
    };
    return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  }

  async #mcpFor(servers: readonly McpServer[] | undefined): Promise<Record<string, DaemonMcpServer> | undefined> {
    if (servers === undefined || servers.length === 0) return undefined;
    const { capabilities } = await this.#client.agents.get({ agent: this.#options.agent });
    return capabilities?.mcp ? mcpOf(servers) : undefined;
  }

  /** What could not be told is asked again: an agent that is installed meanwhile knows its models. */
  async #offered(): Promise<Offer> {
    this.#offer ??= offerOf(this.#client, this.#options.agent);
    const asked = this.#offer;
    const forget = () => {
      if (this.#offer === asked) this.#offer = undefined;
    };
    try {
      const offer = await asked;
      if (offer.isPartial) forget();
      return offer;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** The daemon's words are for programs that call it; who sits in an editor can only start this command with the key. */
function tellLostKey(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== "credentials_required") throw error;
  const message =
    "The daemon was restarted and keeps no secrets: start this command with --agent-token-file or --env again";
  throw new Failure(error.code, message, error.fields);
}

/** No method was offered at `initialize`: keys are given to the command, or are the agent's own. */
function refuseMethod(methodId: unknown): never {
  throw new Failure("invalid_request", `There is no authentication method ${String(methodId)}`);
}
