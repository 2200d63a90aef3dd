import { asList, asRecord, asText, contentText } from "./json-reading.ts";
import type { HistoryEntry, OfferedTool, ReadBody } from "./model-request.ts";

/** Reads the body of `POST /v1beta/models/{model}:generateContent`; model and manner stand in the path. */
export function readGemini(body: unknown, path: string): ReadBody {
  const record = asRecord(body);
  const [, model = "", method = ""] = /\/models\/([^/:?]+):(\w+)/.exec(path) ?? [];
  return {
    model: decodeURIComponent(model),
    stream: method === "streamGenerateContent",
    wantsUsage: true,
    history: [
      { role: "system", text: contentText(asRecord(record.systemInstruction).parts) },
      ...asList(record.contents).flatMap(entriesOf),
    ],
    tools: [record.tools].flat().flatMap((tool) => asList(asRecord(tool).functionDeclarations).map(toolOf)),
  };
}

function entriesOf(content: unknown): HistoryEntry[] {
  const { role, parts } = asRecord(content);
  const results = asList(parts).flatMap((part) => {
    const { functionResponse } = asRecord(part);
    return functionResponse === undefined ? [] : [JSON.stringify(asRecord(functionResponse).response ?? "")];
  });
  const text = contentText(parts);
  if (role === "model") return [{ role: "assistant", text }];
  const said: HistoryEntry[] = results.map((result) => ({ role: "tool", text: result }));
  return text === "" && said.length > 0 ? said : [...said, { role: "user", text }];
}

function toolOf(tool: unknown): OfferedTool {
  return { name: asText(asRecord(tool).name), custom: false };
}
