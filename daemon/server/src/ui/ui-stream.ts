import type { Session } from "@muster/engine";
import type { FrameSource } from "@muster/http";
import type { LogReader } from "@muster/log";
import type { UniversalEvent } from "@muster/schema";
import { framesOf } from "../frames/frame-sources.ts";
import { TurnChunks, type TurnName } from "./turn-chunks.ts";
import type { TurnChunk } from "./ui-chunk.ts";

/** Which turn a stream tells, and from where. */
export interface UiStart {
  turn: TurnName;
  /** The turn begins after this sequence. */
  after: number;
  /** What came up to this sequence the client has been told. */
  toldTo?: number;
  /** Of the client's message that grows; the turn's id unless the person has written in between. */
  messageId?: string;
}

/** A turn is one message, until a person answers a question in words of their own: then it goes on below them. */
export function messageAfter(turnId: string, sequence: number): string {
  return `${turnId}:${sequence}`;
}

/** The sequence after which a message begins; 0 is the beginning of its turn. */
function startOf(messageId: string): number {
  return Number(/:(\d+)$/.exec(messageId)?.[1] ?? 0);
}

/** The chunks of one turn as frames, up to its end or to a request that waits for a person. */
export function uiFrames(session: Session, reader: LogReader, start: UiStart): FrameSource {
  const { turn, toldTo = 0, messageId } = start;
  const messageStart = startOf(messageId ?? "");
  const chunks = new TurnChunks(turn);
  let isDone = false;
  let isTelling = toldTo === 0;
  return framesOf(reader, (events) => events.flatMap(({ json }) => tell(JSON.parse(json))).map((data) => ({ data })));

  function tell(event: UniversalEvent): string[] {
    if (isDone) return [];
    const made = chunks.push(event);
    if (event.sequence === messageStart) chunks.beginMessage();
    if (!isTelling) {
      if (event.sequence < toldTo) return [];
      isTelling = true;
      // What was open had been closed with the stream before.
      chunks.pause();
      return lines([...chunks.goOn(messageId), ...(messageStart === toldTo ? [step] : [])]);
    }
    isDone = chunks.isOver || isWaiting(session, event);
    if (!isDone) return lines(made);
    reader.close();
    return [...lines(made), ...lines(chunks.isOver ? [] : chunks.pause()), "[DONE]"];
  }
}

const step = { type: "start-step" } as const;

/** A request that nobody has answered yet; one that a rule or a mode answered is answered when it is read. */
function isWaiting(session: Session, event: UniversalEvent): boolean {
  if (event.type === "question.requested") return session.requests.isWaiting(event.data.questionId);
  return event.type === "permission.requested" && session.requests.isWaiting(event.data.permissionId);
}

function lines(chunks: readonly TurnChunk[]): string[] {
  return chunks.map((chunk) => JSON.stringify(chunk));
}
