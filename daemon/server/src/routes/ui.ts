import type { Session } from "@muster/engine";
import { FrameStream } from "@muster/http";
import { type UiStart, uiFrames } from "../ui/ui-stream.ts";
import type { Routes } from "./route.ts";

export const uiRoutes = {
  "ui.send": async ({ body }, { sessions, trace }) => {
    const session = await sessions.get(body.id);
    const { sendUi } = await import("../ui/send-ui.ts");
    return streamUi(session, await sendUi(session, body, trace));
  },
  "ui.resume": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    const turn = session.openTurn;
    return turn === undefined ? undefined : streamUi(session, { turn, after: turn.sequence - 1 });
  },
  "ui.getMessages": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    const { chatHistory } = await import("../ui/chat-history.ts");
    return { messages: await chatHistory(session) };
  },
} satisfies Partial<Routes>;

function streamUi(session: Session, start: UiStart): FrameStream {
  const reader = session.log.reader(start.after);
  const headers = { "x-vercel-ai-ui-message-stream": "v1" };
  return new FrameStream(uiFrames(session, reader, start), () => reader.position, headers);
}
