import { foldMessages } from "@muster/engine";
import { FrameStream } from "@muster/http";
import { Failure, messageIdForm, type SendMessage } from "@muster/schema/wire";
import { until, withRaw } from "../frames/frame-sources.ts";
import type { RouteHeaders, Routes } from "./route.ts";

export const messageRoutes = {
  "sessions.sendMessage": async ({ params, body }, { sessions, headers, trace }) => {
    const session = await sessions.get(params.sessionId);
    return session.send(withIdempotencyKey(body, headers), trace);
  },
  "sessions.streamMessage": async ({ params, query, body }, { sessions, headers, trace }) => {
    const session = await sessions.get(params.sessionId);
    const { messageId, sequence } = await session.send(withIdempotencyKey(body, headers), trace);
    const reader = session.log.reader(sequence - 1, { deltas: query.deltas });
    const frames = until(reader, session.messageEnd(messageId));
    return new FrameStream(query.raw ? withRaw(session, frames) : frames, () => reader.position);
  },
  "sessions.cancelMessage": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    await session.cancelMessage(params.messageId);
    return undefined;
  },
  "sessions.getMessages": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return { messages: await foldMessages(session.log.events(0)) };
  },
  "sessions.getAttachment": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    const content = await session.attachment(params.attachment);
    return { size: content.length, data: content.toString("base64") };
  },
} satisfies Partial<Routes>;

/** The header does what `messageId` in the body does; both are fine as long as they agree. */
function withIdempotencyKey(body: SendMessage, headers: RouteHeaders): SendMessage {
  const key = headers["idempotency-key"];
  if (key === undefined) return body;
  if (typeof key !== "string" || !messageIdForm.test(key)) {
    throw new Failure("invalid_request", "The Idempotency-Key is not 1 to 128 plain characters");
  }
  if (body.messageId !== undefined && body.messageId !== key) {
    throw new Failure("invalid_request", "The Idempotency-Key and messageId are not the same");
  }
  return { ...body, messageId: key };
}
