import { randomUUID } from "node:crypto";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenOptions } from "../../adapter.ts";
import type { History, HistoryEntry, ImportedHistory } from "../../history.ts";
import { type AgentHost, agentFolder } from "../../host.ts";
import { runCodebuff } from "./run-codebuff.ts";

/** A conversation of its own with these messages; `sessions import` writes the session file. */
export async function importCodebuff(
  host: AgentHost,
  options: OpenOptions,
  { entries }: History,
): Promise<ImportedHistory> {
  const path = join(await agentFolder(host, "codebuff"), `history-${randomUUID()}.json`);
  try {
    await writeFile(path, JSON.stringify(entries.flatMap(messagesOf)), { mode: 0o600 });
    if (host.user) await chown(path, host.user.uid, host.user.gid);
    const { directory } = options;
    const args = ["sessions", "import", path, `--cwd=${directory}`];
    return { nativeSessionId: (await runCodebuff(host, options, { args, directory })).trim() };
  } finally {
    await rm(path, { force: true });
  }
}

function messagesOf(entry: HistoryEntry): object[] {
  if (entry.role !== "call") return [{ role: entry.role, content: [{ type: "text", text: entry.text }] }];
  const { callId: toolCallId, name: toolName, input, output, isError } = entry;
  const value = isError ? { errorMessage: output } : output;
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
    { role: "tool", toolCallId, toolName, content: [{ type: "json", value }] },
  ];
}
