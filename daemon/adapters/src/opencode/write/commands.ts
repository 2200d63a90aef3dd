import type { Command } from "../../commands.ts";
import type { HttpCall, OpencodeCall } from "../wire/calls.ts";
import type { Settings } from "../wire/settings.ts";

/** Without words OpenCode ends the turn at a rejection; with them the model reads them and goes on. */
export const rejection =
  "The user did not allow this. Do not try it again in another way; go on without it, or say what you need.";

/** A command in OpenCode's words. */
export function writeCommand(command: Command, settings: Settings): OpencodeCall {
  switch (command.type) {
    case "message":
      return promptCall(command, settings, {});
    case "steer":
      // A prompt to a busy session is taken into the run that is under way.
      return promptCall(command, settings, { steer: true });
    case "permission": {
      const { requestKey, decision, message } = command;
      return replyCall(requestKey, decision, message);
    }
    case "question": {
      const { requestKey, answers, message, editedText } = command;
      const aside = message === undefined && editedText === undefined ? undefined : { message, editedText };
      const path = `/question/${requestKey}/${answers === undefined ? "reject" : "reply"}`;
      const body = answers && { answers: answers.map((labels) => [...labels]) };
      return { method: "POST", path, body, aside };
    }
    case "interrupt":
      return abortCall(settings);
    case "update": {
      const { type: _, ...change } = command;
      return { change };
    }
  }
}

export function abortCall({ nativeSessionId }: Settings): HttpCall {
  return { method: "POST", path: `/session/${nativeSessionId}/abort` };
}

export function replyCall(requestKey: string, decision: "allow" | "reject", message: string | undefined): HttpCall {
  const path = `/permission/${requestKey}/reply`;
  if (decision === "allow") return { method: "POST", path, body: { reply: "once", message } };
  const words = message === undefined ? rejection : message.trim() === "" ? `${rejection}\n${message}` : message;
  return { method: "POST", path, body: { reply: "reject", message: words } };
}

type Message = Extract<Command, { type: "message" | "steer" }>;

function promptCall({ messageId, text, attachments }: Message, settings: Settings, more: { steer?: true }): HttpCall {
  const files = attachments.map(({ path, mime, filename }) => ({
    type: "file",
    mime,
    url: `file://${path.split("/").map(encodeURIComponent).join("/")}`,
    filename,
  }));
  const { providerID, modelID, agentMode: agent, variant, systemPrompt: system } = settings;
  const body = {
    parts: [{ type: "text", text }, ...files],
    model: { providerID, modelID },
    agent,
    variant,
    system,
  };
  return {
    method: "POST",
    path: `/session/${settings.nativeSessionId}/prompt_async`,
    body,
    aside: { messageId, ...more },
  };
}
