import type { Body, Item, Part, UniversalEvent, UniversalMessage } from "@muster/schema";

type Spoken = Exclude<UniversalMessage, { role: "unparsed" }>;

/** A message and its place: in the order of turns, and in a turn in the order things began. */
interface Placed {
  message: UniversalMessage;
  turn: number;
  at: number;
}

/**
 * Folds a log into what a person or a model wrote, questions and their answers included. What waits stands at the end,
 * what was sent during a turn in the turn it was given to. Deltas add nothing: items come whole.
 */
export async function foldMessages(events: AsyncIterable<UniversalEvent>): Promise<UniversalMessage[]> {
  const placed: Placed[] = [];
  const turns = new Map<string, number>();
  const open = new Map<string, Spoken>();
  const sent = new Map<string, Placed & { message: Spoken }>();
  const turnOf = (turnId: string | undefined) => {
    if (turnId === undefined) return turns.size;
    if (!turns.has(turnId)) turns.set(turnId, turns.size + 1);
    return turns.get(turnId) ?? 0;
  };
  for await (const event of events) {
    const { turnId, time: createdAt, sequence } = event;
    const add = <Message extends UniversalMessage>(message: Message) => {
      const entry = { message, turn: turnOf(message.turnId ?? turnId), at: sequence };
      placed.push(entry);
      return entry;
    };
    switch (event.type) {
      case "message.updated": {
        const { messageId, status, message, attachments = [] } = event.data;
        if (status === "queued") {
          const parts: Part[] = [{ type: "text", text: message ?? "" }, ...attachments.map(attachmentPart)];
          const entry = add<Spoken>({ role: "user", messageId, status: "queued", parts, createdAt });
          sent.set(messageId, Object.assign(entry, { turn: Number.POSITIVE_INFINITY }));
          break;
        }
        const entry = sent.get(messageId);
        if (!entry) break;
        const given = event.data.turnId ?? turnId;
        Object.assign(entry.message, { status: final[status], turnId: given });
        Object.assign(entry, { turn: turnOf(given), at: sequence });
        break;
      }
      case "item.started": {
        const { item } = event.data;
        if (item.role !== "user")
          open.set(item.itemId, add<Spoken>({ ...buildMessage(item), turnId, createdAt }).message);
        break;
      }
      case "item.completed": {
        const message = open.get(event.data.item.itemId);
        if (message) Object.assign(message, buildMessage(event.data.item));
        open.delete(event.data.item.itemId);
        break;
      }
      case "question.requested": {
        const { questionId } = event.data;
        const parts: Part[] = [{ type: "text", text: questionText(event.data) }];
        const asked: Spoken = {
          role: "assistant",
          messageId: questionId,
          status: "in_progress",
          parts,
          turnId,
          createdAt,
        };
        open.set(questionId, add(asked).message);
        break;
      }
      case "question.resolved": {
        const { questionId, status } = event.data;
        const question = open.get(questionId);
        if (question) question.status = status === "answered" ? "completed" : "cancelled";
        open.delete(questionId);
        const text = answerText(event.data);
        if (text === undefined) break;
        const parts: Part[] = [{ type: "text", text }];
        add({ role: "user", messageId: `${questionId}_answer`, status: "completed", parts, turnId, createdAt });
        break;
      }
      case "session.rewound": {
        const rewound = new Set(event.data.turns);
        for (const { message } of placed) {
          if (message.turnId === undefined || !rewound.has(message.turnId)) continue;
          if (event.data.undone) delete message.rewound;
          else message.rewound = true;
        }
        break;
      }
      case "agent.unparsed": {
        const { raw, error } = event.data;
        add({ role: "unparsed", messageId: `unparsed_${sequence}`, turnId, raw, error, createdAt });
        break;
      }
    }
  }
  return placed.sort((left, right) => left.turn - right.turn || left.at - right.at).map(({ message }) => message);
}

const final = { given: "completed", joined: "completed", cancelled: "cancelled", failed: "failed" } as const;
const roles = {
  message: "assistant",
  reasoning: "assistant",
  tool_call: "assistant",
  tool_result: "tool",
  plan: "assistant",
  status: "system",
} as const;

function buildMessage(item: Item): Omit<Spoken, "createdAt"> {
  const role = item.role ?? roles[item.kind];
  return { role, messageId: item.itemId, status: item.status, parts: item.content };
}

function attachmentPart({ path, mime }: { path: string; mime: string }): Part {
  return mime.startsWith("image/") ? { type: "image", mime, path } : { type: "file", path, action: "read" };
}

function questionText({ questions }: Body<"question.requested">["data"]): string {
  return questions
    .map(({ question, body, options }) => [question, body, ...options.map(({ label }) => `- ${label}`)])
    .map((lines) => lines.filter((line) => line !== undefined).join("\n"))
    .join("\n\n");
}

/** Nothing where nobody answered. The answer to a secret question is not in the log. */
function answerText({ status, answers, message }: Body<"question.resolved">["data"]): string | undefined {
  if (status === "rejected") return message ?? "(declined to answer)";
  if (status !== "answered") return undefined;
  return answers?.map((answer) => answer.join(", ") || "(no answer)").join("\n") ?? "(a secret answer)";
}
