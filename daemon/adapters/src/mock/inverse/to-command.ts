import type { Command } from "../../commands.ts";
import type { MockHears } from "../wire/native.ts";

/** The way back. */
export function commandOf(line: MockHears): Command {
  switch (line.do) {
    case "prompt":
      return { type: "message", messageId: line.id, text: line.text, attachments: line.files };
    case "nudge":
      return { type: "steer", messageId: line.id, text: line.text, attachments: line.files };
    case "rule": {
      const decision = line.allow ? "allow" : "reject";
      return { type: "permission", requestKey: line.ask, decision, message: line.words };
    }
    case "reply": {
      const { ask: requestKey, picks, words: message, edited: editedText } = line;
      return { type: "question", requestKey, answers: picks ?? undefined, message, editedText };
    }
    case "stop":
      return { type: "interrupt" };
    case "set": {
      const { model, mode: agentMode, variant, guard: permissionMode } = line;
      return { type: "update", model, agentMode, variant, permissionMode };
    }
  }
}
