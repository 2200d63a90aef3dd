import { AttachmentInfo } from "@muster/schema";
import type { Command } from "../../commands.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import { universalModes } from "../wire/modes.ts";
import { PromptLine } from "../wire/native.ts";
import { declined } from "../write/answers.ts";

/** The way back: the command a line to Claude was made from. */
export function commandOf(line: unknown): Command | null {
  const prompt = PromptLine.safeParse(line);
  if (prompt.success) return readMessage(prompt.data);
  const { type, request, response } = asInput(line);
  if (type === "control_request") return requestCommand(asInput(request));
  if (type !== "control_response") return null;
  const { subtype, request_id, response: answer } = asInput(response);
  return subtype === "success" && typeof request_id === "string" ? answerCommand(request_id, answer) : null;
}

function readMessage({ message, uuid: messageId = "" }: PromptLine): Command {
  const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const text = blocks.flatMap((block) => (block.type === "text" ? [String(block.text)] : [])).join("\n");
  const attachments = blocks.flatMap((block) => AttachmentInfo.safeParse(block).data ?? []);
  return { type: "message", messageId, text, attachments };
}

function requestCommand({ subtype, model, mode, settings }: Record<string, unknown>): Command | null {
  if (subtype === "interrupt") return { type: "interrupt" };
  if (subtype === "set_model" && typeof model === "string") return { type: "update", model };
  if (subtype === "set_permission_mode" && typeof mode === "string") {
    const permissionMode = universalModes[mode];
    return permissionMode === undefined ? null : { type: "update", permissionMode };
  }
  const { effortLevel } = asInput(settings);
  return subtype === "apply_flag_settings" && typeof effortLevel === "string"
    ? { type: "update", variant: effortLevel }
    : null;
}

/** The way back; what an answer was about is told by its form. */
function answerCommand(requestKey: string, response: unknown): Command | null {
  const { behavior, message, interrupt, updatedInput, updatedPermissions } = asInput(response);
  const { answers, plan } = asInput(updatedInput);
  if (behavior === "deny") {
    const words = typeof message === "string" ? message : undefined;
    const stops = interrupt === true ? true : undefined;
    if (words === declined.question || words === declined.plan) return { type: "question", requestKey, stops };
    const said = words === declined.permission ? undefined : words;
    return { type: "permission", requestKey, decision: "reject", message: said, stops };
  }
  if (behavior !== "allow") return null;
  if (typeof answers === "object" && answers !== null) {
    return { type: "question", requestKey, answers: Object.values(answers).map((value) => [String(value)]) };
  }
  if (Array.isArray(updatedPermissions)) {
    const editedText = typeof plan === "string" ? plan : undefined;
    return { type: "question", requestKey, answers: [["approve_edits"]], editedText };
  }
  return { type: "permission", requestKey, decision: "allow" };
}
