import { asList, asRecord, asText, contentText } from "./json-reading.ts";
import type { HistoryEntry, OfferedTool, ReadBody } from "./model-request.ts";

/** Reads the body of `POST /v1/chat/completions`. */
export function readChat(body: unknown): ReadBody {
  const record = asRecord(body);
  return {
    model: asText(record.model),
    stream: record.stream === true,
    // `usage.include` is the OpenRouter way of asking.
    wantsUsage: asRecord(record.stream_options).include_usage === true || asRecord(record.usage).include === true,
    history: asList(record.messages).flatMap(entriesOf),
    tools: asList(record.tools).map(toolOf),
  };
}

function entriesOf(message: unknown): HistoryEntry[] {
  const record = asRecord(message);
  const text = contentText(record.content);
  switch (record.role) {
    case "system":
    case "developer":
      return [{ role: "system", text }];
    case "assistant":
      return [{ role: "assistant", text, ids: asList(record.tool_calls).map((call) => asText(asRecord(call).id)) }];
    case "tool":
      return [{ role: "tool", text, ids: [asText(record.tool_call_id)] }];
    default:
      return [{ role: "user", text }];
  }
}

function toolOf(tool: unknown): OfferedTool {
  const record = asRecord(tool);
  const custom = record.type === "custom";
  return { name: asText(asRecord(record[custom ? "custom" : "function"]).name), custom };
}
