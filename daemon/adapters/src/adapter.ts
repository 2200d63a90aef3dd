import type {
  AgentError,
  AgentInfo,
  Capabilities,
  CreateSession,
  InstallAgent,
  InstalledAgent,
  Limits,
  LiveSetting,
  Mode,
  Model,
  ModelAccess,
  PermissionMode,
  PlainMcpServer,
} from "@muster/schema";
import type { Command } from "./commands.ts";
import type { Resume } from "./converter/converter.ts";
import type { AgentCredentials } from "./credentials/discovery.ts";
import type { ForkedConversation, ForkPoint } from "./fork-point.ts";
import type { History, ImportedHistory } from "./history.ts";
import type { AgentHost } from "./host.ts";
import type { Release } from "./install/release/release.ts";
import type { Signal } from "./signals.ts";

/** What there is of an agent before it can be driven: it can be looked up and installed, and its keys are known. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  /** Where its program comes from. */
  readonly release: Release;
  /** Where its keys are found; whatever is found there is kept out of diagnostics. */
  readonly credentials: AgentCredentials;
  info(host: AgentHost): Promise<AgentInfo>;
  /** Throws `install_failed` with every source tried, or `unsupported_agent_version`. Safe to call twice at once. */
  install(host: AgentHost, request: InstallAgent, progress?: (step: InstallProgress) => void): Promise<InstalledAgent>;
  /** Removes what `install` has put below the data directory, one version or all; gives the versions that are gone. */
  uninstall(host: AgentHost, version?: string): Promise<string[]>;
}

/** One agent as the engine drives it. Values without state: whatever lives longer than a call lives in the host. */
export interface Adapter extends Agent {
  readonly capabilities: Capabilities;
  /** Settings a running agent takes over by an `update` command; the others need a new process. */
  readonly live: ReadonlySet<LiveSetting>;
  /** Where its ways ask for other limits than the usual ones; a session's own have the last word. */
  readonly limits?: Limits;
  /** It is started with the budget and keeps it within a turn, as it tells its costs only when the turn is over. */
  readonly keepsBudget?: true;
  /** Throws `unsupported_option` for what this agent cannot do. Nothing has been changed by then. */
  check(settings: CreateSession): Promise<void>;
  models(host: AgentHost): Promise<Model[]>;
  modes(host: AgentHost): Promise<Mode[]>;
  /**
   * Resolves when the agent can take its first command; throws `AgentStartFailure` with nothing left running. An aborted
   * `signal` ends the opening at once with its reason.
   */
  open(host: AgentHost, options: OpenOptions): Promise<AgentSession>;
  /**
   * A conversation of its own with everything up to a place of another one, which stays as it is and is not at work. Durable
   * when it resolves. Without it a conversation cannot be rewound or forked. Throws `ForkFailure`.
   */
  fork?(host: AgentHost, options: OpenOptions, at: ForkPoint): Promise<ForkedConversation>;
  /** A conversation that has these turns as its own, in the form in which the agent stores them. */
  importHistory?(host: AgentHost, options: OpenOptions, history: History): Promise<ImportedHistory>;
}

export interface InstallProgress {
  stage: "resolving" | "downloading" | "verifying" | "extracting" | "done";
  receivedBytes?: number;
  totalBytes?: number;
  detail?: string;
}

export interface OpenOptions {
  sessionId: string;
  directory: string;
  permissionMode: PermissionMode;
  model?: string;
  agentMode?: string;
  variant?: string;
  agentVersion?: string;
  systemPrompt?: string;
  baseUrl?: string;
  /** The agent's API key for this session. */
  token?: string;
  /** The route of routes.yaml that the session chose. */
  route?: string;
  /** What the session adds to the environment; the rest is the host's allow-list. */
  env: Readonly<Record<string, string>>;
  mcp: Readonly<Record<string, PlainMcpServer>>;
  agentOptions: Readonly<Record<string, unknown>>;
  /** What is left of the session's budget, for an agent that keeps it itself. */
  budgetUsd?: number;
  resume?: Resume;
  signal?: AbortSignal;
}

/** One life of an agent for one session. */
export interface AgentSession {
  readonly agentVersion?: string;
  readonly nativeSessionId?: string;
  readonly model?: string;
  /** Who holds the key of its model requests; without it they do not pass the gateway. */
  readonly keys?: ModelAccess["keys"];
  /** True when `resume` was asked for and the agent no longer knows the conversation. */
  readonly contextLost?: boolean;
  /** What the agent tells of itself beside these: at its start, and later what belongs to the end of the life. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Everything this life says, in order, one array per read; `raw` is the line the bodies came from. It ends after
   * `agent.exited`. Read it with one `for await` only; not reading pauses the agent.
   */
  readonly events: AsyncIterable<readonly AgentOutput[]>;
  /** Resolves when the agent has it (written to its pipe); what happens then comes up as events. Rejects once it died. */
  send(command: Command): Promise<void>;
  /** Ends the life: asks, then SIGTERM, then SIGKILL of everything that carries its marker. Resolves when all is dead. */
  close(options?: { graceMs?: number }): Promise<void>;
}

export interface AgentOutput {
  /** Absent for what no line of the agent caused. */
  raw?: string;
  bodies: readonly Signal[];
}

/** Why an agent did not start. `type` is the `AgentError` a client sees. */
export class AgentStartFailure extends Error {
  override readonly name = "AgentStartFailure";
  readonly type: AgentError["type"];
  readonly details: Record<string, unknown> | undefined;

  constructor(type: AgentStartFailure["type"], message: string, details?: Record<string, unknown>) {
    super(message);
    this.type = type;
    this.details = details;
  }
}
