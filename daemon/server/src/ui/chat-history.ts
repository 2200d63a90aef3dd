import { pathToFileURL } from "node:url";
import type { Session } from "@muster/engine";
import type { Body, UniversalEvent } from "@muster/schema";
import { type ChatMessage, MessageParts } from "./message-parts.ts";
import { TurnChunks } from "./turn-chunks.ts";
import { messageAfter } from "./ui-stream.ts";

type Queued = Pick<Body<"message.updated">["data"], "messageId" | "message" | "attachments">;

/** The turn that is being read: its chunks so far, and the message they make. */
interface Telling {
  turnId: string;
  chunks: TurnChunks;
  message: MessageParts;
}

/**
 * The conversation as messages of the AI SDK. Of the open turn only what the person said: `useChat` is told the rest by
 * `ui.resume`, which begins with the turn.
 */
export async function chatHistory(session: Session): Promise<ChatMessage[]> {
  const openTurn = session.openTurn?.turnId;
  const history = new History(openTurn);
  for await (const event of session.log.events(0)) history.see(event);
  return history.messages;
}

class History {
  readonly messages: ChatMessage[] = [];
  /** By the place of each message: the turn it belongs to. */
  readonly #turns: (string | undefined)[] = [];
  readonly #openTurn: string | undefined;
  #turnId: string | undefined;
  readonly #queued = new Map<string, Queued>();
  #telling: Telling | undefined;

  constructor(openTurn: string | undefined) {
    this.#openTurn = openTurn;
  }

  see(event: UniversalEvent): void {
    // The finished item has the whole text; of a call that was refused only the pieces have the input.
    if (event.type === "item.delta" && event.data.part !== "input") return;
    if (event.type === "message.updated") this.#seeMessage(event.data);
    if (event.type === "turn.started") this.#begin(event.data);
    if (event.type === "session.rewound") this.#mark(event.data);
    const telling = this.#telling;
    if (telling === undefined) return;
    if (event.type === "question.resolved" && event.turnId === telling.turnId) this.#answer(telling, event);
    this.#telling?.message.add(telling.chunks.push(event));
    if (telling.chunks.isOver) this.#end();
  }

  /** Told with the message: an application shows it or leaves it out. */
  #mark({ turns, undone }: Body<"session.rewound">["data"]): void {
    this.#end();
    const named = new Set(turns);
    for (const [index, message] of this.messages.entries()) {
      if (!named.has(this.#turns[index] ?? "")) continue;
      const { metadata: _, ...rest } = message;
      this.messages[index] = undone ? rest : { ...rest, metadata: { rewound: true } };
    }
  }

  #add(message: ChatMessage): void {
    this.messages.push(message);
    this.#turns[this.messages.length - 1] = this.#turnId;
  }

  #seeMessage({ messageId, status, message, attachments }: Body<"message.updated">["data"]): void {
    if (status === "queued") this.#queued.set(messageId, { messageId, message, attachments });
    // Sent into the open turn: told with what the turn began with.
    if (status === "joined") this.#say(messageId);
  }

  #begin({ turnId, messageIds }: Body<"turn.started">["data"]): void {
    // A turn that never ended was cut off with the daemon; recovery has said so in the log, or does it when it is loaded.
    this.#end();
    this.#turnId = turnId;
    for (const messageId of messageIds) this.#say(messageId);
    if (turnId === this.#openTurn) return;
    this.#telling = { turnId, chunks: new TurnChunks({ turnId }), message: new MessageParts(turnId) };
  }

  #say(messageId: string): void {
    const { message, attachments = [] } = this.#queued.get(messageId) ?? {};
    if (message === undefined) return;
    this.#queued.delete(messageId);
    const files = attachments.map(({ path, mime, filename }) => {
      return {
        type: "file",
        mediaType: mime,
        url: pathToFileURL(path).href,
        ...(filename !== undefined && { filename }),
      };
    });
    this.#add({ id: messageId, role: "user", parts: [{ type: "text", text: message }, ...files] });
  }

  /** What a person answered stands below the question, and the turn goes on below that, as it did when it was live. */
  #answer(telling: Telling, { sequence, data }: UniversalEvent & Body<"question.resolved">): void {
    if (data.status !== "answered") return;
    telling.message.add(telling.chunks.pause());
    telling.chunks.beginMessage();
    this.#finish(telling.message);
    const text = (data.answers ?? []).map((answers) => answers.join(", ")).join("\n");
    this.#add({ id: `${data.questionId}:answer`, role: "user", parts: [{ type: "text", text }] });
    telling.message = new MessageParts(messageAfter(telling.turnId, sequence));
    telling.message.add([{ type: "start-step" }]);
  }

  #end(): void {
    if (this.#telling !== undefined) this.#finish(this.#telling.message);
    this.#telling = undefined;
  }

  #finish(message: MessageParts): void {
    if (message.parts.length > 0) this.#add(message.toMessage());
  }
}
