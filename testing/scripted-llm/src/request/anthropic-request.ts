import { asList, asRecord, asText, contentText } from "./json-reading.ts";
import type { HistoryEntry, OfferedTool, ReadBody } from "./model-request.ts";

/** Reads the body of `POST /v1/messages` and of `count_tokens`. */
export function readAnthropic(body: unknown): ReadBody {
  const record = asRecord(body);
  const system: HistoryEntry[] = [{ role: "system", text: contentText(record.system) }];
  return {
    model: asText(record.model),
    stream: record.stream === true,
    wantsUsage: true,
    history: [...system, ...asList(record.messages).flatMap(entriesOf)],
    tools: asList(record.tools).map(toolOf),
  };
}

function entriesOf(message: unknown): HistoryEntry[] {
  const { role, content } = asRecord(message);
  const blocks = asList(content).map(asRecord);
  if (role === "assistant") {
    const ids = blocks.filter((block) => block.type === "tool_use").map((block) => asText(block.id));
    return [{ role, text: contentText(content), ids }];
  }
  if (role === "system") return [{ role, text: contentText(content) }];
  const results = blocks
    .filter((block) => block.type === "tool_result")
    .map((block): HistoryEntry => {
      return { role: "tool", text: contentText(block.content), ids: [asText(block.tool_use_id)] };
    });
  const text = contentText(content);
  return text === "" ? results : [...results, { role: "user", text }];
}

function toolOf(tool: unknown): OfferedTool {
  return { name: asText(asRecord(tool).name), custom: false };
}
