import type { Command } from "../../commands.ts";
import { present } from "../../converter/present.ts";
import type { MockHears } from "../read/native.ts";

/** A command in the agent's words. */
export function writeCommand(command: Command): MockHears {
  switch (command.type) {
    case "message":
      return { do: "prompt", id: command.messageId, text: command.text, files: [...command.attachments] };
    case "steer":
      return { do: "nudge", id: command.messageId, text: command.text, files: [...command.attachments] };
    case "permission": {
      const { requestKey: ask, decision, message: words } = command;
      return { do: "rule", ask, allow: decision === "allow", ...present({ words }) };
    }
    case "question": {
      const { requestKey: ask, answers, message: words, editedText: edited } = command;
      return { do: "reply", ask, picks: answers?.map((picks) => [...picks]) ?? null, ...present({ words, edited }) };
    }
    case "interrupt":
      return { do: "stop" };
    case "update": {
      const { model, agentMode: mode, variant, permissionMode: guard } = command;
      return { do: "set", ...present({ model, mode, variant, guard }) };
    }
  }
}

/** The way back. */
export function commandOf(line: MockHears): Command {
  switch (line.do) {
    case "prompt":
      return { type: "message", messageId: line.id, text: line.text, attachments: line.files };
    case "nudge":
      return { type: "steer", messageId: line.id, text: line.text, attachments: line.files };
    case "rule": {
      const decision = line.allow ? "allow" : "reject";
      return { type: "permission", requestKey: line.ask, decision, ...present({ message: line.words }) };
    }
    case "reply": {
      const given = present({ answers: line.picks ?? undefined, message: line.words, editedText: line.edited });
      return { type: "question", requestKey: line.ask, ...given };
    }
    case "stop":
      return { type: "interrupt" };
    case "set": {
      const { model, mode: agentMode, variant, guard: permissionMode } = line;
      return { type: "update", ...present({ model, agentMode, variant, permissionMode }) };
    }
  }
}
