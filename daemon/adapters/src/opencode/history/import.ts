import { randomUUID } from "node:crypto";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenOptions } from "../../adapter.ts";
import type { History, HistoryEntry, ImportedHistory } from "../../history.ts";
import { type AgentHost, agentFolder } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { runOnce } from "../../process/run-once.ts";
import { opencodeRelease } from "../release.ts";
import { environmentOf } from "../run/environment.ts";
import { modelName } from "../wire/settings.ts";
import { NativeIds } from "./native-ids.ts";

/** A message with its parts, as OpenCode exports it. */
export interface StoredMessage {
  info: Record<string, unknown>;
  parts: readonly Record<string, unknown>[];
}

/** A conversation of its own with these messages, told as OpenCode stores them. */
export async function importOpencode(
  host: AgentHost,
  options: OpenOptions,
  { entries }: History,
): Promise<ImportedHistory> {
  const { nativeSessionId } = await importMessages(host, options, storedMessages(entries, options));
  return { nativeSessionId };
}

/** The same messages as a session of the directory: under new ids, because those of another session would be taken from it. */
export async function importMessages(
  host: AgentHost,
  options: OpenOptions,
  messages: readonly StoredMessage[],
): Promise<ImportedHistory & { ids: ReadonlyMap<string, string> }> {
  const { directory, sessionId, agentVersion, signal } = options;
  const { path: command, version } = await sessionProgram(host, opencodeRelease, { agentVersion, signal });
  const nowMs = Date.now();
  const native = new NativeIds(nowMs);
  const id = native.session();
  const ids = new Map(messages.map(({ info }) => [String(info.id), native.ascending("msg")]));
  const renamed = messages.map(({ info, parts }) => {
    const messageID = ids.get(String(info.id)) ?? "";
    const parent = typeof info.parentID === "string" ? { parentID: ids.get(info.parentID) } : {};
    return {
      info: { ...info, ...parent, id: messageID, sessionID: id },
      parts: parts.map((part) => ({ ...part, id: native.ascending("prt"), messageID, sessionID: id })),
    };
  });
  const info = {
    id,
    slug: `muster-${id.slice(-8)}`,
    // The directory of the process decides, whatever these say (1.18.33).
    projectID: "global",
    directory,
    title: `Muster ${sessionId}`,
    version,
    time: { created: nowMs, updated: nowMs },
  };
  const path = join(await agentFolder(host, "opencode"), `history-${randomUUID()}.json`);
  try {
    await writeFile(path, JSON.stringify({ info, messages: renamed }), { mode: 0o600 });
    if (host.user) await chown(path, host.user.uid, host.user.gid);
    const env = { ...(await environmentOf(host, options)), OPENCODE_CONFIG_CONTENT: '{"autoupdate":false}' };
    await runOnce(host, { command, args: ["import", path], directory, env, signal });
  } finally {
    await rm(path, { force: true });
  }
  return { nativeSessionId: id, ids };
}

const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/** Turns of user and assistant; an assistant's message is one step: what it says, then the calls that follow. */
function storedMessages(entries: readonly HistoryEntry[], options: OpenOptions): StoredMessage[] {
  const { directory, agentMode: agent = "build", model = "" } = options;
  const name = modelName(model) ?? { providerID: "muster", modelID: "earlier" };
  const messages: { info: Record<string, unknown>; parts: Record<string, unknown>[] }[] = [];
  let parentID: string | undefined;
  for (const entry of entries) {
    const at = Date.parse(entry.time);
    if (entry.role === "user") {
      parentID = `m${messages.length}`;
      const info = { id: parentID, role: "user", time: { created: at }, agent, model: name };
      messages.push({ info, parts: [{ type: "text", text: entry.text }] });
      continue;
    }
    const last = messages.at(-1);
    const goesOn = entry.role === "call" && last?.info.role === "assistant";
    const message = goesOn ? last : { info: assistantInfo(`m${messages.length}`, at), parts: [] };
    if (!goesOn) messages.push(message);
    if (entry.role === "call") message.info.finish = "tool-calls";
    message.parts.push(entry.role === "call" ? toolPart(entry, at) : { type: "text", text: entry.text });
  }
  return messages;

  function assistantInfo(id: string, at: number): Record<string, unknown> {
    const where = { path: { cwd: directory, root: directory }, cost: 0, tokens: noTokens };
    const time = { created: at, completed: at };
    return { id, role: "assistant", parentID, mode: agent, agent, ...where, ...name, time, finish: "stop" };
  }
}

function toolPart(
  { callId: callID, name: tool, input, output, isError }: Extract<HistoryEntry, { role: "call" }>,
  at: number,
) {
  const time = { start: at, end: at };
  const state = isError
    ? { status: "error", input, error: output, metadata: {}, time }
    : { status: "completed", input, output, title: tool, metadata: {}, time };
  return { type: "tool", tool, callID, state };
}
