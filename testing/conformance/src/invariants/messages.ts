import type { Body } from "@muster/schema";
import type { Report, Watch } from "../violation.ts";

type Status = Body<"message.updated">["data"]["status"];

/** Each accepted message is queued once and reaches one final status; a given one is given to exactly one turn. */
export const messages: Watch = (report, { finished, after }) => {
  const statuses = new Map<string, Status>();
  /** Given in the log; the turn it names has not begun yet. */
  const given = new Map<string, string>();
  let openTurn: string | undefined;
  return {
    see(event) {
      if (event.type === "message.updated") {
        const { messageId, status, turnId } = event.data;
        checkStep(messageId, statuses.get(messageId), status, { isWhole: after === 0, report });
        statuses.set(messageId, status);
        if ((status === "given" || status === "joined") && turnId === undefined) {
          report(`${messageId} is ${status} without a turn`);
        }
        if (status === "given" && turnId !== undefined) given.set(messageId, turnId);
        if (status === "joined" && turnId !== openTurn) report(`${messageId} joins ${turnId}, but ${openTurn} is open`);
      } else if (event.type === "turn.started") {
        openTurn = event.data.turnId;
        for (const messageId of event.data.messageIds) {
          if (given.get(messageId) !== openTurn) report(`${openTurn} names ${messageId}, which was not given to it`);
          given.delete(messageId);
        }
        for (const [messageId, turnId] of given) report(`${messageId} was given to ${turnId}, which did not begin`);
        given.clear();
      } else if (event.type === "turn.ended") {
        openTurn = undefined;
      }
    },
    end() {
      if (!finished) return;
      for (const [messageId, turnId] of given) report(`${messageId} was given to ${turnId}, which never began`);
      for (const [messageId, status] of statuses) if (status === "queued") report(`${messageId} is queued for ever`);
    },
  };
};

function checkStep(
  messageId: string,
  before: Status | undefined,
  now: Status,
  { isWhole, report }: { isWhole: boolean; report: Report },
): void {
  if (now === "queued" && before !== undefined) report(`${messageId} is queued a second time`);
  if (now === "queued") return;
  if (before === undefined && isWhole) report(`${messageId} is ${now} and was never queued`);
  if (before !== undefined && before !== "queued") report(`${messageId} is ${now} after it was ${before}`);
}
