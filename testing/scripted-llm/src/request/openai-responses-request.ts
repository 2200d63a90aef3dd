import { asList, asRecord, asText, asTextOrNothing, contentText } from "./json-reading.ts";
import type { HistoryEntry, OfferedTool, ReadBody } from "./model-request.ts";

/** Reads the body of `POST /v1/responses`. */
export function readResponses(body: unknown): ReadBody {
  const record = asRecord(body);
  const input = record.input;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : asList(input);
  const follows = asTextOrNothing(record.previous_response_id);
  return {
    model: asText(record.model),
    stream: record.stream === true,
    wantsUsage: true,
    history: [{ role: "system", text: asText(record.instructions) }, ...items.flatMap(entriesOf)],
    tools: [...asList(record.tools), ...items.flatMap(additionalTools)].flatMap(toolsOf),
    follows,
  };
}

function entriesOf(item: unknown): HistoryEntry[] {
  const record = asRecord(item);
  const type = asText(record.type) || "message";
  if (type === "message") {
    const role = record.role;
    const text = contentText(record.content);
    if (role === "assistant") return [{ role, text, ids: [asText(record.id)] }];
    return [{ role: role === "user" ? "user" : "system", text }];
  }
  if (type.endsWith("_output")) {
    const output = record.output;
    const text = contentText(output) || (typeof output === "object" ? JSON.stringify(output) : "");
    return [{ role: "tool", text, ids: [asText(record.call_id)] }];
  }
  // Calls, reasoning and references to stored items are all things the model said before.
  if (type.endsWith("_call") || type === "reasoning" || type === "item_reference") {
    return [{ role: "assistant", text: "", ids: [asText(record.call_id), asText(record.id)] }];
  }
  return [];
}

/** Codex hands over the tools of code-mode models as an input item. */
function additionalTools(item: unknown): readonly unknown[] {
  const record = asRecord(item);
  return record.type === "additional_tools" ? asList(record.tools) : [];
}

function toolsOf(tool: unknown): OfferedTool[] {
  const record = asRecord(tool);
  const name = asText(record.name) || asText(record.type);
  if (record.type === "namespace") {
    return asList(record.tools).map((inner) => ({
      name: asText(asRecord(inner).name),
      custom: asRecord(inner).type === "custom",
      namespace: name,
    }));
  }
  return [{ name, custom: record.type === "custom" }];
}
