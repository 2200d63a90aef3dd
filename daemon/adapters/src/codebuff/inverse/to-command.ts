import type { Command } from "../../commands.ts";
import { answerIn } from "../read/on-ask.ts";
import { agentModeOf, permissionModeOf } from "../wire/modes.ts";
import { HeardLine } from "../wire/native.ts";

/** The way back: the command a line to Codebuff was made from. */
export function commandOf(line: unknown): Command | null {
  const heard = HeardLine.safeParse(line);
  if (!heard.success) return null;
  switch (heard.data.type) {
    case "user_message": {
      const { messageId, text, content = [] } = heard.data;
      const attachments = content.flatMap((part) => {
        if (part.type !== "attachment") return [];
        const { type: _, ...attachment } = part;
        return [attachment];
      });
      return { type: "message", messageId, text, attachments };
    }
    case "tool_result": {
      const { toolCallId, output } = heard.data;
      return answerCommand(toolCallId, output[0].value);
    }
    case "cancel":
      return { type: "interrupt" };
    case "update": {
      const { model, variant, mode, permissions } = heard.data;
      const agentMode = mode === undefined ? undefined : agentModeOf(mode);
      const permissionMode = permissions === undefined ? undefined : permissionModeOf(permissions);
      return { type: "update", model, agentMode, variant, permissionMode };
    }
  }
}

/** What an answer was about is told by its form. */
function answerCommand(requestKey: string, value: Record<string, unknown>): Command | null {
  const { decision, skipped, plan } = value;
  const message = typeof value.message === "string" ? value.message : undefined;
  if (decision === "once" || decision === "always" || decision === "deny") {
    return { type: "permission", requestKey, decision: decision === "deny" ? "reject" : "allow", message };
  }
  if (typeof decision === "string") {
    const editedText = typeof plan === "string" ? plan : undefined;
    return { type: "question", requestKey, answers: [[decision]], message, editedText };
  }
  if (skipped === true) return { type: "question", requestKey, message };
  const answers = answerIn(value)?.answers;
  return answers === undefined ? null : { type: "question", requestKey, answers };
}
