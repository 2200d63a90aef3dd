import { errorOutput, type Message, type ToolOutput, ToolOutputPart, toolNames } from "@muster/codebuff-protocol";
import { parseJson } from "@muster/core";
import { XmlCallReader } from "../xml/call-reader.ts";
import { readXmlInput } from "../xml/parameters.ts";
import { readResultsXml } from "../xml/results.ts";
import { toolResultsTag } from "./shorten-results.ts";

/** What happened, whichever way the history writes it: native calls and results, or agent mode's XML. */
export type Happening =
  | { readonly type: "summary"; readonly text: string }
  | { readonly type: "user"; readonly text: string }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "assistant"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: "result"; readonly name: string; readonly output: ToolOutput };

export const summaryTag = "CONVERSATION_SUMMARY";
export const instructionsTag = "INSTRUCTIONS_PROMPT";

export function happeningsOf(message: Message): Happening[] {
  switch (message.role) {
    case "system":
      return message.tags?.includes(toolResultsTag) ? readResultsXml(message.content).map(xmlResult) : [];
    case "user":
      return userHappenings(message);
    case "assistant":
      return message.content.flatMap((part): Happening[] => {
        if (part.type === "reasoning") return [];
        if (part.type === "text") return assistantText(part.text);
        return [{ type: "call", name: part.toolName, input: part.input }];
      });
    case "tool":
      return [{ type: "result", name: message.toolName, output: message.content }];
  }
}

function userHappenings(message: Extract<Message, { role: "user" }>): Happening[] {
  if (message.tags?.includes(instructionsTag) || message.timeToLive !== undefined) return [];
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (text.trim() === "") return [];
  if (message.tags?.includes(summaryTag)) return [{ type: "summary", text }];
  const note = /^\s*<system>([\s\S]*)<\/system>\s*$/.exec(text)?.[1];
  if (note !== undefined) return [{ type: "note", text: note }];
  const said = /^\s*<user_message>([\s\S]*)<\/user_message>\s*$/.exec(text)?.[1] ?? text;
  return [{ type: "user", text: said }];
}

/** Text of a model that thinks aloud is worth nothing later; calls in it count as calls. */
function assistantText(text: string): Happening[] {
  const spoken = text.replace(/<think>[\s\S]*?(?:<\/think>|$)/g, "");
  if (!spoken.includes("<")) return spoken.trim() === "" ? [] : [{ type: "assistant", text: spoken.trim() }];
  const reader = new XmlCallReader(toolNames);
  return [...reader.push(spoken), ...reader.end({ stopped: false })].flatMap((piece): Happening[] => {
    if (piece.type === "text") return piece.text.trim() === "" ? [] : [{ type: "assistant", text: piece.text.trim() }];
    if (piece.type !== "call") return [];
    const call = readXmlInput(piece);
    return [{ type: "call", name: call.name, input: call.ok ? call.input : {} }];
  });
}

function xmlResult({ name, result, status }: { name: string; result: string; status: string }): Happening {
  const parsed = parts(result);
  if (parsed !== undefined) return { type: "result", name, output: parsed };
  const failed = status === "error" || status === "interrupted";
  const output: ToolOutput = failed ? errorOutput(result) : [{ type: "json", value: { stdout: result } }];
  return { type: "result", name, output };
}

/** A result may be the JSON of a tool's value. */
function parts(result: string): ToolOutput | undefined {
  if (!/^[[{]/.test(result)) return undefined;
  // Plain text may look like JSON, and JSON may have been shortened.
  const part = ToolOutputPart.safeParse({ type: "json", value: parseJson(result) }).data;
  return part && [part];
}
