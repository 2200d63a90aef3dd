import type { PlainMcpServer } from "@muster/schema";
import { AgentStartFailure, type OpenOptions } from "../../adapter.ts";
import { RpcFailure } from "../../channel/json-rpc.ts";
import { ThreadOpened } from "../wire/native.ts";
import { policies } from "../write/policies.ts";
import { type Access, providerConfig, providerId } from "./access.ts";
import { type CodexServer, ServerEnded } from "./server.ts";

export interface OpenedThread {
  threadId: string;
  /** Asked to go on with a conversation that Codex no longer has. */
  contextLost: boolean;
}

/** A new thread, or the one of the lives before. */
export async function openThread(server: CodexServer, access: Access, options: OpenOptions): Promise<OpenedThread> {
  const params = paramsOf(access, options);
  const known = options.resume?.nativeSessionId;
  try {
    if (known === undefined) return { threadId: await begin(server, params), contextLost: false };
    const threadId = await resumeThread(server, known, params);
    if (threadId === undefined) return { threadId: await begin(server, params), contextLost: true };
    // A thread that was still loaded keeps its old settings whatever the resume says.
    await server.request("thread/settings/update", { threadId, ...settingsOf(options) });
    return { threadId, contextLost: false };
  } catch (error) {
    if (error instanceof ServerEnded) throw error;
    if (!(error instanceof RpcFailure)) throw new AgentStartFailure("process_exited", String(error));
    throw new AgentStartFailure("unsupported", `Codex refused the session: ${error.message}`);
  }
}

async function begin(server: CodexServer, params: object): Promise<string> {
  return ThreadOpened.parse(await server.request("thread/start", params)).thread.id;
}

/** undefined when Codex does not know the thread. */
async function resumeThread(server: CodexServer, threadId: string, params: object): Promise<string | undefined> {
  const known = { ...params, threadId, excludeTurns: true };
  try {
    return ThreadOpened.parse(await server.request("thread/resume", known)).thread.id;
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    if (/no rollout found|thread not found|invalid thread id/i.test(error.message)) return undefined;
    // Another server, with the key or the environment of before, has it loaded; a copy of the conversation is free.
    if (!/active writer/.test(error.message)) throw error;
    return ThreadOpened.parse(await server.request("thread/fork", known)).thread.id;
  }
}

/** How a thread of this session is begun, resumed or forked. */
export function paramsOf({ provider }: Access, options: OpenOptions): object {
  const { directory: cwd, model, variant, systemPrompt, permissionMode, mcp } = options;
  const { approvalPolicy, sandbox } = policies[permissionMode];
  const servers = Object.entries(mcp).map(([name, server]) => [name, mcpServer(server)]);
  const config = {
    model_reasoning_effort: variant,
    model_providers: provider ? { [providerId]: providerConfig(provider) } : undefined,
    mcp_servers: servers.length > 0 ? Object.fromEntries(servers) : undefined,
  };
  return {
    cwd,
    approvalPolicy,
    sandbox,
    config,
    modelProvider: provider ? providerId : undefined,
    model,
    developerInstructions: systemPrompt,
  };
}

function settingsOf({ permissionMode, model, variant }: OpenOptions): object {
  const { approvalPolicy, sandboxPolicy } = policies[permissionMode];
  return { approvalPolicy, sandboxPolicy, model, effort: variant };
}

function mcpServer(server: PlainMcpServer): object {
  if (!("url" in server)) return server;
  const { url, headers } = server;
  return { url, http_headers: headers };
}
