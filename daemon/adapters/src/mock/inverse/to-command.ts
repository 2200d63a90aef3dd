import type { Command } from "../../commands.ts";
import { MockHears } from "../wire/native.ts";

/** The way back; null for a line that no command makes. */
export function commandOf(native: unknown): Command | null {
  const { data: line } = MockHears.safeParse(native);
  switch (line?.do) {
    case undefined:
      return null;
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
