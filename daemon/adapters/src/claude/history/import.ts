import { randomUUID } from "node:crypto";
import type { OpenOptions } from "../../adapter.ts";
import type { History, HistoryEntry, ImportedHistory } from "../../history.ts";
import type { AgentHost } from "../../host.ts";
import { projectFolder, projectsFolder, writeTranscript } from "./transcript-file.ts";

interface Said {
  type: "user" | "assistant";
  content: string | object[];
  time: string;
}

/**
 * A transcript as Claude writes them. Without `parentUuid` all but the last line is lost in silence, without `timestamp` and
 * `isSidechain` the conversation is not found (2.1.325).
 */
export async function importClaude(host: AgentHost, options: OpenOptions, history: History): Promise<ImportedHistory> {
  const nativeSessionId = randomUUID();
  const { directory: cwd } = options;
  let parentUuid: string | null = null;
  const lines = history.entries.flatMap(saidOf).map(({ type, content, time: timestamp }) => {
    const uuid = randomUUID();
    const message = {
      role: type,
      content: typeof content === "string" && type === "assistant" ? text(content) : content,
    };
    const line = { parentUuid, type, uuid, isSidechain: false, sessionId: nativeSessionId, cwd, timestamp, message };
    parentUuid = uuid;
    return line;
  });
  const folder = await projectFolder(projectsFolder(host, options), cwd);
  await writeTranscript(host, { folder, id: nativeSessionId, lines });
  return { nativeSessionId };
}

function saidOf(entry: HistoryEntry): Said[] {
  const { time } = entry;
  if (entry.role !== "call") return [{ type: entry.role, content: entry.text, time }];
  const { callId: id, name, input, output, isError } = entry;
  const result = { type: "tool_result", tool_use_id: id, content: output, ...(isError ? { is_error: true } : {}) };
  return [
    { type: "assistant", content: [{ type: "tool_use", id, name, input }], time },
    { type: "user", content: [result], time },
  ];
}

const text = (words: string) => [{ type: "text", text: words }];
