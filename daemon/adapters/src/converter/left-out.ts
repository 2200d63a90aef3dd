import type { Body, EventBody, EventType, Item, Part, PermissionAction } from "@muster/schema";
import type { Command } from "../commands.ts";

/** One thing an agent has no line for, and why. */
export interface LeftOut<Said> {
  what: string;
  why: string;
  /** What remains: nothing, something less, or the very same where the row does not concern it. */
  rest: (said: Said, isInTurn: boolean) => Said | readonly Said[];
}

/** All that is lost on the way to an agent: writers count by it, the laws of conversion and the documentation go by it. */
export interface LeftOutTable {
  events: readonly LeftOut<EventBody>[];
  input: readonly LeftOut<Command>[];
}

/** What remains of it by every row. */
export function remains<Said>(rows: readonly LeftOut<Said>[], said: Said, isInTurn = true): Said[] {
  return rows.reduce<Said[]>((left, { rest }) => left.flatMap((one) => rest(one, isInTurn)), [said]);
}

export function leaveOut(what: string, why: string, holds: LeftOutTest): LeftOut<EventBody> {
  return { what, why, rest: (body, isInTurn) => (holds(body, isInTurn) ? [] : body) };
}
type LeftOutTest = (body: EventBody, isInTurn: boolean) => boolean;

export function isOneOf(...types: EventType[]): LeftOutTest {
  return (body) => types.includes(body.type);
}

/** Of completed items for which `holds` is true only `rest` is told. */
export function reduceItems(
  what: string,
  why: string,
  holds: (item: Item) => boolean,
  rest: (item: Item) => Item,
): LeftOut<EventBody> {
  const reduce = (body: EventBody): EventBody =>
    body.type === "item.completed" && holds(body.data.item)
      ? { type: "item.completed", data: { item: rest(body.data.item) } }
      : body;
  return { what, why, rest: reduce };
}

/** Of changes of a session only these fields are told. */
export function updatesOf(why: string, ...told: (keyof Body<"session.updated">["data"])[]): LeftOut<EventBody> {
  return {
    what: `session.updated with anything but ${told.join(" or ")}`,
    why,
    rest: (body) => {
      if (body.type !== "session.updated") return body;
      const known = Object.entries(body.data).filter(([, value]) => value !== undefined && value !== "");
      const rest = known.filter(([field]) => told.some((one) => one === field));
      if (rest.length === 0) return [];
      return rest.length === known.length ? body : { type: body.type, data: Object.fromEntries(rest) };
    },
  };
}

/** What is left of one kind of command. */
export function leaveOf<T extends Command["type"]>(
  type: T,
  what: string,
  why: string,
  rest: (command: Extract<Command, { type: T }>) => Command | readonly Command[],
): LeftOut<Command> {
  return { what, why, rest: (said) => (said.type === type ? rest(said as Extract<Command, { type: T }>) : said) };
}

export const steering = (why: string): LeftOut<Command> =>
  leaveOf("steer", "that a message steers", why, (command) => ({ ...command, type: "message" }));

/** A no that an interrupt gives; `rest` is what is left of it. */
export const stopping = (what: string, why: string, rest: (no: StoppingNo) => Command): LeftOut<Command> => ({
  what,
  why,
  rest: (command) => ("stops" in command && command.stops ? rest(command as StoppingNo) : command),
});

type StoppingNo = Extract<Command, { type: "permission" | "question" }>;

/** The same to an agent that hears the stop behind the no. */
export const plainNo: LeftOut<Command> = stopping(
  "that a no belongs to an interrupt",
  "its no has no word for it; the interrupt follows as a call of its own",
  (no) => ({ ...no, stops: undefined }),
);

/** The same to an agent whose questions end with its run. */
export const noAsInterrupt: LeftOut<Command> = stopping(
  "the no with which an interrupt answers what was asked",
  "it is told to stop in its place, which ends the question too",
  () => ({ type: "interrupt" }),
);

/** Of the end of a turn only these fields are told, and `uncertain` as a failure. */
export function endsWith(why: string, ...told: ("usage" | "costUsd" | "output")[]): LeftOut<EventBody> {
  const fields = (["usage", "costUsd", "output"] as const).filter((field) => !told.includes(field));
  const what = ["that a turn is uncertain", ...fields.map((field) => `${field} of turn.ended`)].join(", ");
  return {
    what,
    why,
    rest: (body) => {
      if (body.type !== "turn.ended") return body;
      const { status } = body.data;
      if (status !== "uncertain" && fields.every((field) => body.data[field] === undefined)) return body;
      const none = Object.fromEntries(fields.map((field) => [field, undefined]));
      return {
        type: "turn.ended",
        data: { ...body.data, ...none, status: status === "uncertain" ? "failed" : status },
      };
    },
  };
}

export const requests = leaveOut(
  "questions and permissions",
  "a reader of lines cannot answer them, and an agent's own request would wait for it; they are told on wish",
  isOneOf("question.requested", "question.resolved", "permission.requested", "permission.resolved"),
);

/** What of a request is told: the words and choices of a question, and for what a permission is, as far as there are words. */
export function requestsIn(...actions: readonly PermissionAction[]): readonly LeftOut<EventBody>[] {
  const what = "ids, types and bodies of questions, several choices, that one is about a plan; details of a permission";
  const why = "each agent asks in its own form; title, detail and scope are made from it";
  const rest = (body: EventBody): EventBody => {
    if (body.type === "permission.requested") {
      const { permissionId, action } = body.data;
      const told = actions.includes(action) ? action : "other";
      return { type: body.type, data: { permissionId, action: told, title: "", alwaysScope: [] } };
    }
    if (body.type !== "question.requested") return body;
    const questions = body.data.questions.map(({ question, header, options }, index) => ({
      id: `q${index + 1}`,
      question,
      header,
      type: "string" as const,
      options,
      multiSelect: false,
      allowCustom: true,
    }));
    return { type: body.type, data: { questionId: body.data.questionId, kind: "question", questions } };
  };
  return [requests, { what, why, rest }];
}

const ofTheDaemon: readonly EventType[] = [
  ...(["session.started", "session.ended", "message.updated"] as const),
  ...(["session.rewound", "session.forked", "agent.changed", "snapshot.skipped"] as const),
];

/** Left out of the lines of every agent. */
export const daemonsOwn: readonly LeftOut<EventBody>[] = [
  leaveOut(
    ofTheDaemon.join(", "),
    "the daemon makes them; agents know of them only by our commands",
    isOneOf(...ofTheDaemon),
  ),
  {
    what: "how a request was answered",
    why: "the answer goes to the agent and does not come from it; that it is over is told",
    rest: restOfAnswer,
  },
  leaveOut(
    "agent.unparsed",
    "it is another agent's line that nobody understood",
    isOneOf("agent.unparsed", "log.damaged"),
  ),
];

function restOfAnswer(body: EventBody): EventBody {
  if (body.type === "question.resolved") {
    return { type: body.type, data: { questionId: body.data.questionId, status: "cancelled" } };
  }
  if (body.type !== "permission.resolved") return body;
  return { type: body.type, data: { permissionId: body.data.permissionId, decision: "cancelled", by: "daemon" } };
}

const hasMoreThanOutput = (part: Part) =>
  part.type !== "tool_result" || part.exitCode !== undefined || part.json !== undefined;

/** Left out of the lines of every agent that is not ours. */
export const usuallyLeftOut: readonly LeftOut<EventBody>[] = [
  ...daemonsOwn,
  leaveOut(
    "items after their turn",
    "a line after the end of a turn would begin another one",
    (body, isInTurn) => !isInTurn && ("item" in body.data || body.type === "item.delta"),
  ),
  reduceItems(
    "files, pictures, exit codes and structured values beside the output of a tool",
    "agents tell them in fields of their own tools; another agent's tools have none",
    ({ kind, content }) => kind === "tool_result" && content.some(hasMoreThanOutput),
    (item) => ({
      ...item,
      content: item.content.flatMap((part) =>
        part.type === "tool_result" ? [{ ...part, exitCode: undefined, json: undefined }] : [],
      ),
    }),
  ),
  reduceItems(
    "whether a call failed or was stopped",
    "a result says that it is an error",
    ({ kind, status }) => (kind === "tool_call" || kind === "tool_result") && status === "cancelled",
    (item) => ({ ...item, status: "failed" }),
  ),
  reduceItems(
    "that an item goes on after its turn, or takes the place of another",
    "the lines of the agent end everything with its turn",
    ({ background, supersededBy }) => background === true || supersededBy !== undefined,
    (item) => ({ ...item, background: undefined, supersededBy: undefined }),
  ),
  reduceItems(
    "pictures and files in a message",
    "agents are given them and do not tell them",
    ({ kind, content }) => kind === "message" && content.some(isAttached),
    (item) => ({ ...item, content: item.content.filter((part) => !isAttached(part)) }),
  ),
  reduceItems(
    "that a value in a message is no text, and which reasoning is private",
    "what is said is text, and what is thought is told",
    ({ kind, content }) =>
      kind !== "status" &&
      content.some((part) => part.type === "json" || (part.type === "reasoning" && part.visibility === "private")),
    (item) => ({ ...item, content: item.content.map(plainPart) }),
  ),
];

function isAttached({ type }: Part): boolean {
  return type === "image" || type === "file";
}

function plainPart(part: Part): Part {
  if (part.type === "json") return { type: "text", text: textOf([part]) };
  return part.type === "reasoning" ? { ...part, visibility: "public" } : part;
}

export const nesting = reduceItems(
  "which sub-agent an item belongs to",
  "the item is told in the conversation itself",
  ({ parentId }) => parentId !== undefined,
  (item) => ({ ...item, parentId: undefined }),
);

export const plans = reduceItems(
  "that a plan is a plan",
  "it is told as text",
  ({ kind }) => kind === "plan",
  (item) => ({ ...item, kind: "message", content: [{ type: "text", text: textOf(item.content) }] }),
);

export const cutOff = reduceItems(
  "that a text was cut off",
  "texts end whole",
  ({ kind, status }) => isSpoken(kind) && status !== "completed",
  (item) => ({ ...item, status: "completed" }),
);

export function isSpoken(kind: Item["kind"]): boolean {
  return kind === "message" || kind === "reasoning" || kind === "plan";
}

/** What is said in an item as one text. */
export function textOf(content: readonly Part[]): string {
  return content
    .flatMap((part) => ("text" in part ? [part.text] : part.type === "json" ? [JSON.stringify(part.json)] : []))
    .join("\n");
}

/** What a status says as one text. */
export function statusText(content: readonly Part[]): string {
  return content
    .flatMap((part) => (part.type === "status" ? [[part.label, part.detail].filter(Boolean).join(": ")] : []))
    .join("\n");
}
