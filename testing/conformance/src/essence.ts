import type { EventBody, Part } from "@muster/schema";

type IsAside = (callId: string) => boolean;

/**
 * What of a session must survive in another agent's lines, in order: what the agent said and thought, its calls with
 * their results, how its turns ended. `isAside` names calls that the lines have no place for.
 */
export function essenceOf(events: readonly EventBody[], isAside: IsAside = () => false): unknown[][] {
  let isInTurn = false;
  const essence: unknown[][] = [];
  for (const event of events) {
    if (event.type === "turn.started") isInTurn = true;
    if (event.type === "turn.ended") {
      isInTurn = false;
      essence.push(["turn", event.data.status]);
    }
    if (!isInTurn || event.type !== "item.completed" || event.data.item.role === "user") continue;
    for (const part of event.data.item.content) essence.push(...essenceOfPart(part, isAside));
  }
  return essence;
}

function essenceOfPart(part: Part, isAside: IsAside): unknown[][] {
  switch (part.type) {
    case "text":
    case "plan":
      return [["text", part.text]];
    case "reasoning":
      return [["reasoning", part.text]];
    case "tool_call":
      return isAside(part.callId) ? [] : [["call", part.callId, part.name, part.input]];
    case "tool_result":
      return isAside(part.callId) ? [] : [["result", part.callId, part.output, part.isError]];
    case "image":
    case "file":
    case "status":
    case "json":
      return [];
  }
}

/** Calls that outlive their turn: only the mock's lines can say so, and the tables of exceptions list it. */
export function backgroundCalls(events: readonly EventBody[]): IsAside {
  const ids = new Set(
    events.flatMap((event) => {
      const isBackground = event.type === "item.started" && event.data.item.background === true;
      const [part] = isBackground ? event.data.item.content : [];
      return part?.type === "tool_call" ? [part.callId] : [];
    }),
  );
  return (callId) => ids.has(callId);
}
