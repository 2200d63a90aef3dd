import { type Adapter, type AgentHost, type AgentSession, AgentStartFailure } from "@muster/adapters";
import { messageOf } from "@muster/core";
import { type AgentError, type Body, Failure, type Keys } from "@muster/schema/wire";
import type { Journal } from "../state/journal.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import type { Admission } from "./admission.ts";

export interface AgentOpenerParts {
  adapter: Pick<Adapter, "open" | "capabilities">;
  host: AgentHost;
  settings: Pick<SessionSettings, "file" | "stored" | "openOptions" | "redactor">;
  journal: Journal;
  admission: Pick<Admission, "isClosed">;
  /** Looks for secrets on this machine that are new since the last time. */
  learnSecrets(): Promise<void>;
  prepareGateway(): Promise<void>;
}

/** Opens the agent of a session and tells the log how that went. */
export class AgentOpener {
  readonly #parts: AgentOpenerParts;
  #error: AgentError | undefined;

  constructor(parts: AgentOpenerParts) {
    this.#parts = parts;
  }

  /** Why the agent did not start the last time. */
  get error(): AgentError | undefined {
    return this.#error;
  }

  /** The agent, announced as running. Throws `agent_unhealthy` or `unsupported_agent_version`, with nothing left running. */
  async open(signal: AbortSignal): Promise<AgentSession> {
    const { adapter, host, settings, journal } = this.#parts;
    if (signal.aborted) throw this.#stopped();
    if (journal.state.life === "open") this.#update({ agentState: "starting" });
    journal.flush();
    try {
      if (adapter.capabilities.gateway) await this.#parts.prepareGateway();
      const opening = adapter.open(host, { ...settings.openOptions(journal.state), signal });
      // Beside the start, and over before the first line of the agent is looked at.
      await Promise.allSettled([opening, this.#parts.learnSecrets()]);
      const agent = await opening;
      this.#error = undefined;
      this.#announce(agent);
      return agent;
    } catch (error) {
      throw signal.aborted ? this.#stopped() : await this.fail(error);
    }
  }

  /** Notes and tells that the agent did not start. */
  async fail(error: unknown): Promise<Failure> {
    const { journal, settings, admission } = this.#parts;
    const { type, message, details } = error instanceof AgentStartFailure ? error : startFailure(error);
    this.#error = settings.redactor.value({ type, message, details });
    if (!admission.isClosed) {
      const code = type === "token_error" ? "auth_failed" : "spawn_failed";
      journal.emit("daemon", { type: "error", data: { code, message: this.#error.message, retryable: true } }, null);
      if (journal.state.agentState === "starting") this.#update({ agentState: "asleep" });
      await journal.sync();
    }
    const { sessionId } = settings.file;
    const problem = type === "unsupported_agent_version" ? type : "agent_unhealthy";
    return new Failure(problem, this.#error.message, { sessionId, error: this.#error });
  }

  #announce({ agentVersion, nativeSessionId, model, metadata, ...session }: AgentSession): void {
    // Told only when it is so.
    const contextLost = session.contextLost || undefined;
    const keys: Keys = session.keys ?? "none";
    const { journal, settings } = this.#parts;
    const { state } = journal;
    if (state.life === "open") {
      const changed = keys === state.settings.keys ? undefined : keys;
      return this.#update({ agentVersion, nativeSessionId, model, contextLost, keys: changed, agentState: "ready" });
    }
    const asked = settings.openOptions(state);
    const data = {
      agent: settings.stored.agent,
      model: model ?? asked.model,
      agentMode: asked.agentMode,
      variant: asked.variant,
      agentVersion,
      nativeSessionId,
      contextLost,
      keys,
      permissionMode: asked.permissionMode,
      directory: asked.directory,
      resumed: state.life !== "none",
      metadata,
    };
    journal.emit("daemon", { type: "session.started", data }, null);
  }

  #stopped(): Failure {
    const { sessionId } = this.#parts.settings.file;
    return new Failure("agent_unhealthy", "The agent was ended while it started", { sessionId });
  }

  #update(data: Body<"session.updated">["data"]): void {
    this.#parts.journal.emit("daemon", { type: "session.updated", data }, null);
  }
}

function startFailure(error: unknown): AgentStartFailure {
  if (error instanceof Failure && (error.code === "install_failed" || error.code === "unsupported_agent_version")) {
    return new AgentStartFailure(error.code, error.message, error.fields);
  }
  return new AgentStartFailure("spawn_failed", messageOf(error));
}
