import { type Attachment, Failure, MessageId, UiMessage } from "@muster/schema";

/** What the last message of a chat wants of its session. */
export type UiWish =
  | { type: "say"; text: string; attachments: Attachment[]; messageId?: string }
  | { type: "answer"; questionId: string; answers: string[][] }
  | { type: "decline"; questionId: string; message?: string }
  | { type: "decide"; messageId: string; decisions: { permissionId: string; approved: boolean; reason?: string }[] };

type UiPart = UiMessage["parts"][number];

/** Pure. Throws `invalid_request` for what no session can do. */
export function wishOf(message: unknown): UiWish {
  const { success, data } = UiMessage.safeParse(message);
  if (!success) throw invalid("The last message has no role and parts");
  if (data.role === "system") throw invalid("The last message is from the system; a session takes systemPrompt");
  return data.role === "user" ? userWish(data) : decisionsOf(data);
}

function userWish({ id, parts }: UiMessage): UiWish {
  const answer = parts.find(({ type }) => type === "data-answer");
  if (answer !== undefined) return answerOf(answer.data);
  const texts = parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  const text = texts.join("\n");
  if (text.trim() === "") throw invalid("The last message has no text");
  const attachments = parts.filter(({ type }) => type === "file").map(attachmentOf);
  const messageId = MessageId.safeParse(id).data;
  return { type: "say", text, attachments, messageId };
}

/** `{type: "data-answer", data: {questionId, answers}}` answers; with `reject` instead it declines. */
function answerOf(data: unknown): UiWish {
  const { questionId, answers, reject } = Object(data) as Record<string, unknown>;
  if (typeof questionId !== "string") throw invalid("data-answer has no questionId");
  if (reject !== undefined) {
    return { type: "decline", questionId, message: typeof reject === "string" ? reject : undefined };
  }
  const isAnswer = (answer: unknown) => Array.isArray(answer) && answer.every((value) => typeof value === "string");
  if (!Array.isArray(answers) || !answers.every(isAnswer)) {
    throw invalid("data-answer has neither answers, an array of strings for each question, nor reject");
  }
  return { type: "answer", questionId, answers };
}

/** Content travels in the message; what lies elsewhere is not fetched. */
function attachmentOf({ url, mediaType, filename }: UiPart): Attachment {
  const [, mime, data] = /^data:([^;,]+)[^,]*;base64,(.*)$/s.exec(String(url)) ?? [];
  if (mime === undefined || data === undefined) throw invalid("A file part must have a data: URL in base64");
  return {
    data,
    mime: typeof mediaType === "string" ? mediaType : mime,
    ...(typeof filename === "string" && { filename }),
  };
}

function decisionsOf({ id, parts }: UiMessage): UiWish {
  const decisions = parts.flatMap(({ state, approval }) => {
    if (state !== "approval-responded") return [];
    const { id: permissionId, approved, reason } = Object(approval) as Record<string, unknown>;
    if (typeof permissionId !== "string" || typeof approved !== "boolean") throw invalid("An approval says nothing");
    return [{ permissionId, approved, reason: typeof reason === "string" ? reason : undefined }];
  });
  if (decisions.length === 0 || id === undefined) throw invalid("The last message is the agent's and answers nothing");
  return { type: "decide", messageId: id, decisions };
}

function invalid(detail: string): Failure {
  return new Failure("invalid_request", detail);
}
