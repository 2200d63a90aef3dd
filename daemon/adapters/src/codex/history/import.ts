import { untilAborted } from "@muster/core";
import type { OpenOptions } from "../../adapter.ts";
import type { History, HistoryEntry, ImportedHistory } from "../../history.ts";
import type { AgentHost } from "../../host.ts";
import { withSessionServer } from "../run/process.ts";
import { ThreadOpened } from "../wire/native.ts";

/** `thread/inject_items` into a thread of its own: on the disk when it answers, and resumed like any other (0.166.0). */
export async function importCodex(host: AgentHost, options: OpenOptions, history: History): Promise<ImportedHistory> {
  return await withSessionServer(host, options, async (server, params) => {
    const ask = (method: string, asked: object) => untilAborted(server.request(method, asked), options.signal);
    const threadId = ThreadOpened.parse(await ask("thread/start", params)).thread.id;
    await ask("thread/inject_items", { threadId, items: history.entries.flatMap(itemsOf) });
    await ask("thread/unsubscribe", { threadId });
    return { nativeSessionId: threadId };
  });
}

function itemsOf(entry: HistoryEntry): object[] {
  switch (entry.role) {
    case "user":
      return [{ type: "message", role: "user", content: [{ type: "input_text", text: entry.text }] }];
    case "assistant":
      return [{ type: "message", role: "assistant", content: [{ type: "output_text", text: entry.text }] }];
    case "call": {
      const { callId: call_id, name, input, output } = entry;
      return [
        { type: "function_call", name, arguments: JSON.stringify(input), call_id },
        { type: "function_call_output", call_id, output },
      ];
    }
  }
}
