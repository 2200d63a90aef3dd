import { isRecord, untilAborted } from "@muster/core";
import type { Mode, Model } from "@muster/schema";
import type { AgentSession, OpenOptions } from "../../adapter.ts";
import { AgentStartFailure } from "../../adapter.ts";
import { openLife } from "../../channel/open-life.ts";
import type { AgentHost } from "../../host.ts";
import { checkDirectory } from "../../process/working-directory.ts";
import type { Settings } from "../wire/settings.ts";
import { checkMode, checkRules, chooseModel, readModels, readModes } from "./catalogue.ts";
import { OpencodeChannel } from "./channel.ts";
import { problemOf } from "./http.ts";
import { leaseServer } from "./lease-server.ts";
import { descendants } from "./reread.ts";
import type { OpencodeServer } from "./server.ts";

export async function openOpencode(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  await checkDirectory(options.directory);
  const { lease, version, accesses, dialect } = await leaseServer(host, options);
  try {
    const { settings, contextLost, children } = await untilAborted(openSession(lease.server, options), options.signal);
    const { nativeSessionId: session, directory, providerID, modelID } = settings;
    const channel = new OpencodeChannel({ lease, session, directory });
    lease.server.sessions.lines(
      children.map((info) => JSON.stringify({ type: "session.created", properties: { info } })),
    );
    const model = `${providerID}/${modelID}`;
    const facts = {
      ready: true,
      agentVersion: version,
      nativeSessionId: session,
      model,
      contextLost,
    };
    return await openLife({
      channel,
      converter: dialect.converter(settings),
      facts: () => facts,
      resume: options.resume,
      keys: accesses?.get(providerID)?.keys,
      tickMs: 500,
      signal: options.signal,
    });
  } catch (error) {
    await lease.release();
    throw error;
  }
}

export function listModels(host: AgentHost): Promise<Model[]> {
  return withServer(host, ({ http }) => readModels(http));
}

export function listModes(host: AgentHost): Promise<Mode[]> {
  return withServer(host, ({ http }) => readModes(http));
}

async function withServer<T>(host: AgentHost, use: (server: OpencodeServer) => Promise<T>): Promise<T> {
  const settings = { permissionMode: "default", env: {}, mcp: {}, agentOptions: {} } as const;
  const { lease } = await leaseServer(host, { sessionId: "models", directory: host.home, ...settings });
  try {
    return await use(lease.server);
  } finally {
    await lease.release();
  }
}

interface Opened {
  settings: Settings;
  contextLost: true | undefined;
  children: readonly object[];
}

async function openSession({ http }: OpencodeServer, options: OpenOptions): Promise<Opened> {
  const { directory, model, agentMode, variant, systemPrompt, permissionMode, resume, sessionId } = options;
  const chosen = await chooseModel(http, { model, variant, directory });
  if (agentMode !== undefined) await checkMode(http, agentMode, directory);
  if (permissionMode !== "bypass") await checkRules(http, directory);
  const known = resume?.nativeSessionId;
  const isThere = known !== undefined && (await http.ask({ path: `/session/${known}`, directory })).status === 200;
  const nativeSessionId = isThere ? known : await createSession(http, `Muster ${sessionId}`, directory);
  const settings: Settings = {
    nativeSessionId,
    directory,
    ...chosen,
    permissionMode,
    agentMode,
    variant,
    systemPrompt,
    mcpServers: Object.keys(options.mcp),
  };
  if (!isThere) {
    // Before its first answer there was nothing to lose.
    const isLost = known !== undefined && resume !== undefined && resume.nextItem > 1;
    return { settings, contextLost: isLost ? true : undefined, children: [] };
  }
  const list = async (path: string) => {
    const body = await http.get(path, directory);
    return Array.isArray(body) ? body.filter(isRecord) : [];
  };
  const children = await descendants(list, nativeSessionId);
  const newest = (await list(`/session/${nativeSessionId}/message?limit=1`)).at(-1);
  const lastMessageId = isRecord(newest?.info) && typeof newest.info.id === "string" ? newest.info.id : undefined;
  return { settings: { ...settings, lastMessageId }, contextLost: undefined, children };
}

/** With a title OpenCode does not ask the model for one. */
async function createSession(http: OpencodeServer["http"], title: string, directory: string): Promise<string> {
  const { status, body } = await http.ask({ method: "POST", path: "/session", directory, body: { title } });
  if (status === 200 && isRecord(body) && typeof body.id === "string") return body.id;
  throw new AgentStartFailure("spawn_failed", `OpenCode did not open a session (${status}): ${problemOf(body)}`);
}
