import type { AttachmentInfo } from "@muster/schema";
import { z } from "zod";
import { isRequest, isResponse, isRpcMessage, type RpcResponse } from "../../channel/json-rpc.ts";
import type { Command } from "../../commands.ts";
import { fileMark } from "../write/commands.ts";
import { policies } from "../write/policies.ts";
import { noAnswer } from "../write/replies.ts";

/** The way back from a line to the command it was made of; null for what no command makes. */
export function commandOf(line: unknown): Command | null {
  if (!isRpcMessage(line)) return null;
  if (isResponse(line)) return answerOf(line);
  if (!isRequest(line)) return null;
  switch (line.method) {
    case "turn/start":
      return readMessage("message", line.params);
    case "turn/steer":
      return readMessage("steer", line.params);
    case "turn/interrupt":
      return { type: "interrupt" };
    case "thread/settings/update":
      return updateOf(line.params);
    default:
      return null;
  }
}

const Input = z.object({
  clientUserMessageId: z.string().default(""),
  input: z.array(z.object({ type: z.string(), text: z.string().optional(), path: z.string().optional() })).min(1),
});

function readMessage(type: "message" | "steer", params: unknown): Command | null {
  const read = Input.safeParse(params);
  if (!read.success) return null;
  const { clientUserMessageId: messageId, input } = read.data;
  const [words, ...rest] = input;
  const attachments = rest.map((part): AttachmentInfo => {
    if (part.path !== undefined) return { path: part.path, mime: "image/*" };
    return { path: (part.text ?? "").slice(fileMark.length), mime: "application/octet-stream" };
  });
  return { type, messageId, text: words?.text ?? "", attachments };
}

const Answers = z.object({ answers: z.record(z.string(), z.object({ answers: z.array(z.string()) })) });
const Decision = z.object({ decision: z.enum(["accept", "decline", "cancel"]) });

function answerOf(line: RpcResponse): Command | null {
  const requestKey = String(line.id);
  if ("error" in line) {
    const { message } = line.error;
    return { type: "question", requestKey, message: message === noAnswer ? undefined : message };
  }
  const decision = Decision.safeParse(line.result);
  if (decision.success) {
    const said = decision.data.decision;
    if (said === "accept") return { type: "permission", requestKey, decision: "allow" };
    return { type: "permission", requestKey, decision: "reject", stops: said === "cancel" ? true : undefined };
  }
  const answers = Answers.safeParse(line.result);
  if (!answers.success) return null;
  return { type: "question", requestKey, answers: Object.values(answers.data.answers).map((given) => given.answers) };
}

const Update = z.object({
  model: z.string().optional(),
  effort: z.string().optional(),
  approvalPolicy: z.string().optional(),
  collaborationMode: z.object({ mode: z.string() }).optional(),
});

/** `acceptEdits` has the settings of `default`, and a plan is the same mode whichever of ours asked for it. */
function updateOf(params: unknown): Command | null {
  const read = Update.safeParse(params);
  if (!read.success) return null;
  const { model, effort: variant, approvalPolicy, collaborationMode } = read.data;
  const permissionMode = (["default", "plan", "bypass"] as const).find(
    (mode) => policies[mode].approvalPolicy === approvalPolicy,
  );
  return { type: "update", model, variant, permissionMode, agentMode: collaborationMode?.mode };
}
