import { AttachmentInfo } from "@muster/schema";
import { z } from "zod";
import type { Command } from "../../commands.ts";
import { present } from "../../converter/present.ts";
import type { Settings } from "../read/settings.ts";

/** Without words OpenCode ends the turn at a rejection; with them the model reads them and goes on. */
const rejection =
  "The user did not allow this. Do not try it again in another way; go on without it, or say what you need.";

const Change = z.object({
  model: z.string().optional(),
  agentMode: z.string().optional(),
  variant: z.string().optional(),
  permissionMode: z.enum(["default", "acceptEdits", "plan", "bypass"]).optional(),
});

/** What goes with a call and is not sent: OpenCode has no place for it. */
const Aside = z.object({
  messageId: z.string().optional(),
  steer: z.boolean().optional(),
  message: z.string().optional(),
  editedText: z.string().optional(),
});

const FilePart = z.object({
  type: z.literal("file"),
  mime: z.string(),
  url: z.string(),
  filename: z.string().optional(),
});
const PromptBody = z.object({
  parts: z.array(z.union([z.object({ type: z.literal("text"), text: z.string() }), FilePart])),
});
const ReplyBody = z.object({ reply: z.enum(["once", "reject"]), message: z.string().optional() });
const AnswersBody = z.object({ answers: z.array(z.array(z.string())) });

/** A request to the server, or a change of what the next prompt is sent with. */
export const OpencodeCall = z.union([
  z.object({
    method: z.literal("POST"),
    path: z.string(),
    body: z.record(z.string(), z.unknown()).optional(),
    aside: Aside.optional(),
  }),
  z.object({ change: Change }),
]);
export type OpencodeCall = z.infer<typeof OpencodeCall>;
export type HttpCall = Extract<OpencodeCall, { path: string }>;

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
      const aside = present({ message, editedText });
      const path = `/question/${requestKey}/${answers === undefined ? "reject" : "reply"}`;
      const body = answers === undefined ? {} : { body: { answers: answers.map((labels) => [...labels]) } };
      return { method: "POST", path, ...body, ...(Object.keys(aside).length > 0 ? { aside } : {}) };
    }
    case "interrupt":
      return abortCall(settings);
    case "update": {
      const { type: _, ...change } = command;
      return { change: present(change) };
    }
  }
}

export function abortCall({ nativeSessionId }: Settings): HttpCall {
  return { method: "POST", path: `/session/${nativeSessionId}/abort` };
}

export function replyCall(requestKey: string, decision: "allow" | "reject", message: string | undefined): HttpCall {
  const path = `/permission/${requestKey}/reply`;
  if (decision === "allow") return { method: "POST", path, body: { reply: "once", ...present({ message }) } };
  const words = message === undefined ? rejection : message.trim() === "" ? `${rejection}\n${message}` : message;
  return { method: "POST", path, body: { reply: "reject", message: words } };
}

/** The way back; null for what is no call. */
export function commandOf(line: unknown): Command | null {
  const call = OpencodeCall.safeParse(line);
  if (!call.success) return null;
  if ("change" in call.data) return { type: "update", ...present(call.data.change) };
  const { path, body, aside = {} } = call.data;
  const [, kind, key = "", what] = path.split("/");
  if (kind === "session" && what === "abort") return { type: "interrupt" };
  if (kind === "session" && what === "prompt_async") return promptCommand(body, aside);
  if (kind === "permission") return permissionCommand(key, body);
  if (kind !== "question") return null;
  const answers = AnswersBody.safeParse(body);
  const { message, editedText } = aside;
  const given = present({ answers: answers.success ? answers.data.answers : undefined, message, editedText });
  return { type: "question", requestKey: key, ...given };
}

type Message = Extract<Command, { type: "message" | "steer" }>;

function promptCall({ messageId, text, attachments }: Message, settings: Settings, more: { steer?: true }): HttpCall {
  const files = attachments.map(({ path, mime, filename }) => ({
    type: "file",
    mime,
    url: `file://${path.split("/").map(encodeURIComponent).join("/")}`,
    ...present({ filename }),
  }));
  const { providerID, modelID, agentMode: agent, variant, systemPrompt: system } = settings;
  const body = {
    parts: [{ type: "text", text }, ...files],
    model: { providerID, modelID },
    ...present({ agent, variant, system }),
  };
  return {
    method: "POST",
    path: `/session/${settings.nativeSessionId}/prompt_async`,
    body,
    aside: { messageId, ...more },
  };
}

function promptCommand(body: unknown, { messageId = "", steer }: z.infer<typeof Aside>): Command | null {
  const prompt = PromptBody.safeParse(body);
  if (!prompt.success) return null;
  const text = prompt.data.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const attachments = prompt.data.parts.flatMap((part) => (part.type === "file" ? [attachmentOf(part)] : []));
  return { type: steer ? "steer" : "message", messageId, text, attachments };
}

function attachmentOf({ mime, url, filename }: z.infer<typeof FilePart>): AttachmentInfo {
  const path = url.slice("file://".length).split("/").map(decodeURIComponent).join("/");
  return AttachmentInfo.parse({ path, mime, ...present({ filename }) });
}

function permissionCommand(requestKey: string, body: unknown): Command | null {
  const reply = ReplyBody.safeParse(body);
  if (!reply.success) return null;
  const { message } = reply.data;
  const command = { type: "permission", requestKey } as const;
  if (reply.data.reply === "once") return { ...command, decision: "allow", ...present({ message }) };
  if (message === undefined || message === rejection) return { ...command, decision: "reject" };
  const said = message.startsWith(`${rejection}\n`) ? message.slice(rejection.length + 1) : message;
  return { ...command, decision: "reject", message: said };
}
