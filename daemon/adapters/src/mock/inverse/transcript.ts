import type { EventBody, Item } from "@muster/schema";
import { daemonsOwn, type EventException } from "../../converter/event-exception.ts";
import { LineWriter } from "../../converter/line-writer.ts";
import type { MockSays } from "../wire/native.ts";
import { isSayable } from "./law-exceptions.ts";
import { nativeLine } from "./to-native.ts";

const leftOut: readonly EventException[] = [
  ...daemonsOwn,
  {
    what: "that a turn is uncertain, that an agent sleeps, and that an item is replaced by another",
    why: "the mock has no words for them",
    holds: (body) =>
      (body.type === "turn.ended" && body.data.status === "uncertain") ||
      (body.type === "session.updated" && body.data.agentState !== undefined) ||
      ("item" in body.data && body.data.item.supersededBy !== undefined),
    partly: true,
  },
];

/** Any session as the mock would have told it: it has a word for almost everything. */
export function mockWriter(): LineWriter<MockSays> {
  return new LineWriter({ lines: linesOf }, leftOut);
}

function linesOf(body: EventBody): MockSays[] {
  const event = sayable(body);
  const line = isSayable(event) ? nativeLine(event) : null;
  return line === null ? [] : [line];
}

/** The nearest thing the mock can say. Blocks have the names of items, because deltas name those. */
function sayable(body: EventBody): EventBody {
  switch (body.type) {
    case "turn.started":
      return { type: "turn.started", data: { ...body.data, origin: "agent" } };
    case "turn.ended": {
      const { status, ...data } = body.data;
      return { type: "turn.ended", data: { ...data, status: status === "uncertain" ? "failed" : status } };
    }
    case "session.updated":
      return { type: "session.updated", data: { ...body.data, agentState: undefined } };
    case "item.started":
    case "item.completed":
      return { type: body.type, data: { item: plainItem(body.data.item) } };
    case "session.started":
    case "session.ended":
    case "message.updated":
    case "item.delta":
    case "question.requested":
    case "question.resolved":
    case "permission.requested":
    case "permission.resolved":
    case "plan.updated":
    case "usage.updated":
    case "error":
    case "agent.unparsed":
    case "log.damaged":
      return body;
  }
}

function plainItem(item: Item): Item {
  return { ...item, nativeItemId: undefined, supersededBy: undefined };
}
