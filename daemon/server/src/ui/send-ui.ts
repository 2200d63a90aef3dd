import type { Session, TraceContext } from "@muster/engine";
import { Failure, type SendUi } from "@muster/schema/wire";
import { type UiWish, wishOf } from "./ui-message.ts";
import { messageAfter, type UiStart } from "./ui-stream.ts";

/** Does what the last message of a chat wants; resolves with the stream that tells what comes of it. */
export async function sendUi(
  session: Session,
  { messages, trigger, reply }: SendUi,
  trace: TraceContext | undefined,
): Promise<UiStart> {
  if (trigger === "regenerate-message") {
    throw new Failure("invalid_request", "A session does not take back what was said: send another message");
  }
  const wish = wishOf(messages.at(-1));
  switch (wish.type) {
    case "say":
      return await say(session, wish, trace);
    case "answer":
      return await resolve(session, wish.questionId, () => session.requests.replyQuestion(wish.questionId, wish));
    case "decline":
      return await resolve(session, wish.questionId, () => session.requests.rejectQuestion(wish.questionId, wish));
    case "decide":
      return await decide(session, wish, reply ?? "once");
  }
}

/** A new message, or the answer to the one question that waits: that is what a person types into a chat. */
async function say(
  session: Session,
  { text, attachments, messageId }: Extract<UiWish, { type: "say" }>,
  trace: TraceContext | undefined,
) {
  const { questions, permissions } = session.requests.pending();
  const [question, ...others] = questions;
  if (question?.questions.length === 1 && others.length === 0 && permissions.length === 0) {
    const { questionId } = question;
    return await resolve(session, questionId, () => session.requests.replyQuestion(questionId, { answers: [[text]] }));
  }
  if (questions.length + permissions.length > 0) {
    const requests = [...questions.map((one) => one.questionId), ...permissions.map((one) => one.permissionId)];
    throw new Failure("session_busy", "The agent waits for an answer first", { requests });
  }
  const sent = await session.send({ message: text, attachments, messageId }, trace);
  return { turn: { messageId: sent.messageId }, after: sent.sequence - 1 };
}

async function decide(session: Session, wish: Extract<UiWish, { type: "decide" }>, granted: "once" | "always") {
  for (const { permissionId, approved, reason } of wish.decisions) {
    const reply = approved ? granted : "reject";
    await firstAnswer(session.requests.replyPermission(permissionId, { reply, message: reason }));
  }
  const asked = new Set(wish.decisions.map(({ permissionId }) => permissionId));
  return { ...(await after(session, (id) => asked.has(id))), messageId: wish.messageId };
}

async function resolve(session: Session, questionId: string, answer: () => Promise<void>): Promise<UiStart> {
  await firstAnswer(answer());
  const start = await after(session, (id) => id === questionId);
  return { ...start, messageId: messageAfter(start.turn.turnId, start.toldTo) };
}

/** Somebody else was first: the stream tells what they said. */
async function firstAnswer(answer: Promise<void>): Promise<void> {
  await answer.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== "already_resolved") throw error;
  });
}

/** Goes on behind the last of these requests, in its turn. */
async function after(session: Session, isAsked: (requestId: string) => boolean) {
  let turn: { turnId: string; sequence: number } | undefined;
  let found: { turn: { turnId: string }; after: number; toldTo: number } | undefined;
  // Somebody else may have answered long ago, and the turn be over.
  for await (const { type, data, sequence } of session.log.events((session.openTurn?.sequence ?? 1) - 1)) {
    if (type === "turn.started") turn = { turnId: data.turnId, sequence };
    const isOne =
      (type === "permission.requested" && isAsked(data.permissionId)) ||
      (type === "question.requested" && isAsked(data.questionId));
    if (isOne && turn) found = { turn: { turnId: turn.turnId }, after: turn.sequence - 1, toldTo: sequence };
  }
  if (found !== undefined) return found;
  throw new Failure("already_resolved", "The request was of a turn that is over, and another one is open");
}
