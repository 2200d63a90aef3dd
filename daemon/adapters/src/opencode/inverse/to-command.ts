import { AttachmentInfo } from "@muster/schema";
import { z } from "zod";
import type { Command } from "../../commands.ts";
import { type Aside, OpencodeCall } from "../wire/calls.ts";
import { rejection } from "../write/commands.ts";

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

/** The way back; null for what is no call. */
export function commandOf(line: unknown): Command | null {
  const call = OpencodeCall.safeParse(line);
  if (!call.success) return null;
  if ("change" in call.data) return { type: "update", ...call.data.change };
  const { path, body, aside = {} } = call.data;
  const [, kind, key = "", what] = path.split("/");
  if (kind === "session" && what === "abort") return { type: "interrupt" };
  if (kind === "session" && what === "prompt_async") return promptCommand(body, aside);
  if (kind === "permission") return permissionCommand(key, body);
  if (kind !== "question") return null;
  const answers = AnswersBody.safeParse(body);
  const { message, editedText } = aside;
  return { type: "question", requestKey: key, answers: answers.data?.answers, message, editedText };
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
  return AttachmentInfo.parse({ path, mime, filename });
}

function permissionCommand(requestKey: string, body: unknown): Command | null {
  const reply = ReplyBody.safeParse(body);
  if (!reply.success) return null;
  const { message } = reply.data;
  const command = { type: "permission", requestKey } as const;
  if (reply.data.reply === "once") return { ...command, decision: "allow", message };
  if (message === undefined || message === rejection) return { ...command, decision: "reject" };
  const said = message.startsWith(`${rejection}\n`) ? message.slice(rejection.length + 1) : message;
  return { ...command, decision: "reject", message: said };
}
