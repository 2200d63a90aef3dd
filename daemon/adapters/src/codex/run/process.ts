import { tmpdir } from "node:os";
import { untilAborted } from "@muster/core";
import { type AgentSession, AgentStartFailure, type OpenOptions } from "../../adapter.ts";
import { openLife } from "../../channel/open-life.ts";
import { type AgentHost, agentFolder } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { checkDirectory } from "../../process/working-directory.ts";
import { LeasedChannel, type LeasedChannelOptions } from "../../shared-server/leased-channel.ts";
import type { Lease } from "../../shared-server/shared-servers.ts";
import { codexConverter } from "../converter.ts";
import { CodexOptions } from "../options.ts";
import { codexRelease } from "../release.ts";
import type { CodexNative } from "../wire/native.ts";
import { type Access, accessOf, providerConfig, providerId } from "./access.ts";
import { checkModel } from "./catalogue.ts";
import { afterFirstStart } from "./first-start.ts";
import { openThread, paramsOf } from "./open-thread.ts";
import { watchLeftovers } from "./sandbox-leftovers.ts";
import { type CodexServer, ServerEnded, startCodexServer } from "./server.ts";
import { addressTo } from "./threads.ts";

/** One session is one thread on a server that it shares with all sessions of the same key, home and environment. */
export async function openCodex(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  try {
    return await openOnServer(host, options);
  } catch (error) {
    if (!(error instanceof ServerEnded)) throw error;
    // It was dying when we came; the next one is new.
    return await openOnServer(host, options).catch((again: unknown) => {
      throw again instanceof ServerEnded ? new AgentStartFailure("process_exited", again.message) : again;
    });
  }
}

async function openOnServer(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  await checkDirectory(options.directory);
  const access = await accessOf(host, options, CodexOptions.parse(options.agentOptions));
  const model = access.provider?.model;
  const lease = await leaseServer(host, access, options).catch((error: unknown) => {
    model?.release();
    throw error;
  });
  if (model) lease.server.hold(model);
  return await openOn(lease, access, options);
}

async function openOn(lease: Lease<CodexServer>, access: Access, options: OpenOptions): Promise<AgentSession> {
  try {
    const sweep = await watchLeftovers([options.directory, "/tmp", tmpdir()]);
    await untilAborted(checkModel(lease.server, access, options), options.signal);
    const { threadId, contextLost } = await untilAborted(openThread(lease.server, access, options), options.signal);
    const { permissionMode, agentMode, variant } = options;
    return await openLife({
      channel: new SweepingChannel(
        {
          lease,
          session: threadId,
          address: (line) => addressTo(threadId, line),
          closing: () => lease.server.threads.closingLines(threadId),
        },
        sweep,
      ),
      converter: codexConverter({ permissionMode, agentMode, variant, secret: access.provider?.token }),
      facts: ({ facts }) => ({ ...facts, contextLost }),
      resume: options.resume,
      keys: access.provider?.model?.keys,
      tickMs: 500,
      signal: options.signal,
    });
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** A thread whose end leaves nothing of its sandbox behind. */
class SweepingChannel extends LeasedChannel<CodexNative> {
  readonly #sweep: () => Promise<void>;

  constructor(options: LeasedChannelOptions<CodexNative>, sweep: () => Promise<void>) {
    super(options);
    this.#sweep = sweep;
  }

  override async end(options: { graceMs?: number }): Promise<void> {
    await super.end(options);
    await this.#sweep();
  }
}

/** The server on which a session of these options works, and how its threads are opened there. */
export async function withSessionServer<T>(
  host: AgentHost,
  options: OpenOptions,
  work: (server: CodexServer, params: object) => Promise<T>,
): Promise<T> {
  const access = await accessOf(host, options, CodexOptions.parse(options.agentOptions));
  const model = access.provider?.model;
  const lease = await leaseServer(host, access, options).catch((error: unknown) => {
    model?.release();
    throw error;
  });
  if (model) lease.server.hold(model);
  try {
    return await work(lease.server, paramsOf(access, options));
  } finally {
    await lease.release();
  }
}

/** A server without a key, for what it knows without a model. */
export async function withIdleServer<T>(host: AgentHost, work: (server: CodexServer) => Promise<T>): Promise<T> {
  const lease = await leaseServer(host, { home: await agentFolder(host, "codex") }, { env: {}, mcp: {} });
  try {
    return await work(lease.server);
  } finally {
    await lease.release();
  }
}

async function leaseServer(
  host: AgentHost,
  { home, provider }: Access,
  options: Pick<OpenOptions, "env" | "mcp" | "agentVersion" | "signal">,
): Promise<Lease<CodexServer>> {
  const { env, mcp, signal } = options;
  const { path, version } = await sessionProgram(host, codexRelease, options);
  const identity = {
    agent: "codex",
    version,
    home,
    providerId: provider && providerId,
    // Behind the gateway two sessions of one key have two placeholders.
    baseUrl: provider?.model ? undefined : provider?.baseUrl,
    credential: provider?.model?.identity ?? provider?.token,
    env,
    configuration: { path, mcp },
  };
  const process = {
    agent: "codex",
    command: path,
    args: ["app-server", ...serverSettings(provider)],
    // Not the session's directory: that may go away while others still work.
    directory: await agentFolder(host, "codex"),
    env: { ...env, CODEX_HOME: home },
  };
  const lease = host.servers.lease(identity, () => afterFirstStart(home, () => startCodexServer(host, process)));
  return untilAborted(lease, signal, (late) => late.release());
}

/** Without the key: arguments are for everybody to see. */
function serverSettings(provider: Access["provider"]): string[] {
  const settings: Record<string, string> = {
    suppress_unstable_features_warning: "true",
    "features.default_mode_request_user_input": "true",
    "features.unbounded_connection_retries": "false",
    "tools.update_plan.enabled": "true",
    check_for_update_on_startup: "false",
    "analytics.enabled": "false",
  };
  if (provider) {
    const { baseUrl } = provider;
    settings.model_provider = JSON.stringify(providerId);
    const table = Object.entries(providerConfig({ baseUrl })).map(
      ([name, value]) => `${name}=${JSON.stringify(value)}`,
    );
    settings[`model_providers.${providerId}`] = `{${table.join(",")}}`;
  }
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
