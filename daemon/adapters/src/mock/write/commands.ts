import type { Command } from "../../commands.ts";
import type { MockHears } from "../wire/native.ts";

/** A command in the agent's words. */
export function writeCommand(command: Command): MockHears {
  switch (command.type) {
    case "message":
      return { do: "prompt", id: command.messageId, text: command.text, files: [...command.attachments] };
    case "steer":
      return { do: "nudge", id: command.messageId, text: command.text, files: [...command.attachments] };
    case "permission": {
      if (command.stops) return { do: "stop" };
      const { requestKey: ask, decision, message: words } = command;
      return { do: "rule", ask, allow: decision === "allow", words };
    }
    case "question": {
      if (command.stops) return { do: "stop" };
      const { requestKey: ask, answers, message: words, editedText: edited } = command;
      return {
        do: "reply",
        ask,
        picks: answers?.map((picks) => [...picks]) ?? null,
        words,
        edited,
      };
    }
    case "interrupt":
      return { do: "stop" };
    case "update": {
      const { model, agentMode: mode, variant, permissionMode: guard } = command;
      return { do: "set", model, mode, variant, guard };
    }
  }
}
