import type { EventBody, Item } from "@muster/schema";
import type { Command } from "../../commands.ts";
import { type EventException, isOneOf } from "../../converter/event-exception.ts";
import { titleOf, toolKindOf } from "../wire/tools.ts";

/** Where the two-way law does not hold for Amp, and why. */
export const unsayable: readonly EventException[] = [
  {
    what: "session.started, session.ended, session.updated, message.updated, turn.started and answers to requests",
    why: "the daemon makes them, or learns them from the first line of a process",
    holds: isOneOf(
      "session.started",
      "session.ended",
      "session.updated",
      "message.updated",
      "turn.started",
      "question.resolved",
      "permission.resolved",
    ),
  },
  {
    what: "agent.unparsed",
    why: "it is what has no form in Amp's words",
    holds: isOneOf("agent.unparsed", "log.damaged"),
  },
  {
    what: "question.requested, permission.requested",
    why: "Amp asks no questions; permissions are asked by our own program, and their words are made here",
    holds: isOneOf("question.requested", "permission.requested"),
  },
  {
    what: "plan.updated, usage.updated, error",
    why: "each is told by a line that tells something else too: a result, a message, the end of the turn",
    holds: isOneOf("plan.updated", "usage.updated", "error"),
  },
  {
    what: "item.delta, item.completed",
    why: "Amp tells texts as a whole, which is a start and an end; a call ends with its result",
    holds: isOneOf("item.delta", "item.completed"),
  },
  {
    what: "item.started that is not a call with its input, or is one of a sub-agent",
    why: "only calls are begun by a line of their own, and one of a sub-agent ends those before it",
    holds: (body) => body.type === "item.started" && !isCall(body.data.item),
  },
  {
    what: "turn.ended that is uncertain or failed, or has anything but a status",
    why: "only the daemon can be uncertain, a failure is two signals, and usage is one of its own",
    holds: (body) => body.type === "turn.ended" && !isPlainEnd(body.data),
  },
];

export const isSayable = (body: EventBody) => !unsayable.some(({ holds }) => holds(body));

function isCall({ kind, role, status, content, parentId, background, supersededBy }: Item): boolean {
  const [part] = content;
  if (parentId !== undefined || background !== undefined || supersededBy !== undefined) return false;
  if (kind !== "tool_call" || role !== "assistant" || status !== "in_progress") return false;
  if (content.length !== 1 || part?.type !== "tool_call") return false;
  return part.toolKind === toolKindOf(part.name) && part.title === titleOf(part.name, part.input, undefined);
}

function isPlainEnd({
  status,
  turnId: _,
  durationMs: __,
  ...rest
}: Extract<EventBody, { type: "turn.ended" }>["data"]) {
  return (
    (status === "completed" || status === "interrupted") && Object.values(rest).every((value) => value === undefined)
  );
}

interface Loss {
  what: string;
  why: string;
  holds: (command: Command) => boolean;
  /** What is read back instead. */
  left: (command: Command) => Command | Command[];
}

/** What of a command Amp has no words for. */
export const losses: readonly Loss[] = [
  {
    what: "the id of a message, and that it steers",
    why: "a prompt is its words; one that comes into an open turn enters it",
    holds: (command) => command.type === "message" || command.type === "steer",
    left: (command) => ({ ...command, type: "message", messageId: "" }) as Command,
  },
  {
    what: "the words of an answer to a permission",
    why: "Amp hears an exit code",
    holds: (command) => command.type === "permission" && command.message !== undefined,
    left: (command) => {
      const { requestKey, decision } = command as Extract<Command, { type: "permission" }>;
      return { type: "permission", requestKey, decision };
    },
  },
  {
    what: "answers to questions",
    why: "Amp asks none",
    holds: (command) => command.type === "question",
    left: () => [],
  },
  {
    what: "settings",
    why: "they are those of a start; none of them is changed while it runs",
    holds: (command) => command.type === "update",
    left: () => [],
  },
];
