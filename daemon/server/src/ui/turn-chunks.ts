import type { Body, Item, Part, PermissionRequested, QuestionRequested, UniversalEvent } from "@muster/schema";
import { BlockChunks } from "./block-chunks.ts";
import { ToolChunks } from "./tool-chunks.ts";
import type { PartMetadata, TurnChunk, TurnMetadata } from "./ui-chunk.ts";

/** The turn to tell: by its own id, or by the message it is to answer. */
export type TurnName = { turnId: string } | { messageId: string };

/**
 * The events of one turn → chunks of the AI SDK's UI message stream. Pure: the same events give the same chunks, so a
 * stream that broke off, or ended at a request, is told again from the beginning of its turn. A turn is one message of
 * one step: a client looks for open approvals in the last step only.
 */
export class TurnChunks {
  readonly #name: TurnName;
  readonly #blocks = new BlockChunks();
  readonly #tools = new ToolChunks();
  readonly #questions = new Map<string, QuestionRequested>();
  readonly #permissions = new Map<string, PermissionRequested>();
  readonly #metadata = new Map<string, PartMetadata>();
  #turn: TurnMetadata | undefined;
  #isOver = false;

  constructor(name: TurnName) {
    this.#name = name;
  }

  /** The turn has ended, or there will be none: nothing follows. */
  get isOver(): boolean {
    return this.#isOver;
  }

  push(event: UniversalEvent): TurnChunk[] {
    if (this.#isOver) return [];
    if (this.#turn === undefined) return this.#open(event);
    return event.turnId === this.#turn.turnId ? this.#tell(event) : [];
  }

  /** The stream ends at a request, and the turn waits. */
  pause(): TurnChunk[] {
    this.#tools.pause();
    return [...this.#blocks.close(), { type: "finish-step" }, { type: "finish", finishReason: "tool-calls" }];
  }

  /** Another stream goes on where the last one ended. */
  goOn(messageId = this.#turn?.turnId): TurnChunk[] {
    const turn = this.#turn;
    if (turn === undefined || messageId === undefined) return [];
    return [{ type: "start", messageId, messageMetadata: turn }];
  }

  /** What follows belongs to another message: a person has written in between, and their words are the answer. */
  beginMessage(): void {
    this.#tools.forget();
    this.#questions.clear();
  }

  #open(event: UniversalEvent): TurnChunk[] {
    const { sessionId } = event;
    if (event.type === "message.updated" && this.#isOurMessage(event.data.messageId)) {
      const { status } = event.data;
      if (status !== "cancelled" && status !== "failed") return [];
      this.#isOver = true;
      return [{ type: "error", errorText: `The message was ${status === "failed" ? "not given" : "cancelled"}` }];
    }
    if (event.type !== "turn.started" || !this.#isOurTurn(event.data)) return [];
    this.#turn = { sessionId, turnId: event.data.turnId };
    return [...this.goOn(), { type: "start-step" }];
  }

  #isOurMessage(messageId: string): boolean {
    return "messageId" in this.#name && this.#name.messageId === messageId;
  }

  #isOurTurn({ turnId, messageIds }: Body<"turn.started">["data"]): boolean {
    return "turnId" in this.#name ? this.#name.turnId === turnId : messageIds.includes(this.#name.messageId);
  }

  #tell(event: UniversalEvent): TurnChunk[] {
    switch (event.type) {
      case "item.started":
        return this.#startItem(event.data.item);
      case "item.delta":
        return this.#grow(event.data);
      case "item.completed":
        return this.#completeItem(event.data.item);
      case "permission.requested":
        this.#permissions.set(event.data.permissionId, event.data);
        return [
          { type: "data-permission", id: event.data.permissionId, data: event.data },
          ...this.#tools.request(event.data),
        ];
      case "permission.resolved": {
        const asked = this.#permissions.get(event.data.permissionId);
        if (asked === undefined) return [];
        const data = { ...asked, ...event.data };
        return [{ type: "data-permission", id: asked.permissionId, data }, ...this.#tools.resolve(event.data)];
      }
      case "question.requested":
        this.#questions.set(event.data.questionId, event.data);
        return [{ type: "data-question", id: event.data.questionId, data: event.data }];
      case "question.resolved": {
        const asked = this.#questions.get(event.data.questionId);
        if (asked === undefined) return [];
        return [{ type: "data-question", id: asked.questionId, data: { ...asked, ...event.data } }];
      }
      case "plan.updated":
        return [{ type: "data-plan", id: "plan", data: event.data }];
      case "usage.updated":
        return [{ type: "data-usage", id: "usage", data: event.data }];
      case "error": {
        const { code, message, retryable } = event.data;
        return [status(`error_${event.sequence}`, { label: code, detail: message, retryable })];
      }
      case "agent.unparsed":
        return [status(`unparsed_${event.sequence}`, { label: "agent.unparsed", detail: event.data.error })];
      case "snapshot.skipped":
        return [status(`snapshot_${event.sequence}`, { label: "snapshot.skipped", detail: event.data.detail })];
      case "log.damaged":
        return [status(`damaged_${event.sequence}`, { label: "log.damaged" })];
      case "turn.ended":
        return this.#end(event.data);
      case "session.rewound":
        return [status(`rewound_${event.sequence}`, { label: "session.rewound", detail: `turn ${event.data.toTurn}` })];
      case "agent.changed":
        return [status(`agent_${event.sequence}`, { label: "agent.changed", detail: event.data.to })];
      case "session.forked":
      case "session.started":
      case "session.updated":
      case "session.ended":
      case "message.updated":
      case "turn.started":
        return [];
    }
    // Written by a newer daemon into the log that is ours again.
    return [];
  }

  #startItem(item: Item): TurnChunk[] {
    const metadata = metadataOf(item);
    this.#metadata.set(item.itemId, metadata);
    return item.content.flatMap((part) => (part.type === "tool_call" ? this.#tools.start(item, part, metadata) : []));
  }

  #grow(data: Body<"item.delta">["data"]): TurnChunk[] {
    if (data.part === "input") return this.#tools.growInput(data);
    if (data.part === "output") return this.#tools.growOutput(data);
    return this.#blocks.grow(data, data.part, this.#metadata.get(data.itemId));
  }

  #completeItem(item: Item): TurnChunk[] {
    if (item.kind === "message" && item.role === "user") return [];
    const chunks = item.content.flatMap((part, index) => this.#completePart(item, part, index));
    const superseded = item.supersededBy === undefined ? [] : [status(item.itemId, { label: "superseded" })];
    return [...chunks, ...this.#blocks.close(item.itemId), ...superseded];
  }

  #completePart(item: Item, part: Part, index: number): TurnChunk[] {
    const metadata = metadataOf(item);
    switch (part.type) {
      case "text":
      case "plan":
        if (item.kind === "status") return [status(item.itemId, { label: "status", detail: part.text })];
        return this.#blocks.complete(item, index, "text", part.text, metadata);
      case "reasoning":
        return this.#blocks.complete(item, index, "reasoning", part.text, metadata);
      case "tool_call":
        return this.#tools.complete(item, part, metadata);
      case "tool_result":
        return this.#tools.result(item, part, metadata);
      case "image": {
        const { mime, data } = part;
        return data === undefined ? [] : [{ type: "file", mediaType: mime, url: `data:${mime};base64,${data}` }];
      }
      case "status":
        return [status(item.itemId, { label: part.label, detail: part.detail })];
      case "file":
      case "json":
        // Parts of a tool's result, told with it.
        return [];
    }
    return [];
  }

  #end({
    turnId: _,
    status: how,
    cause,
    message,
    usage,
    costUsd,
    durationMs,
  }: Body<"turn.ended">["data"]): TurnChunk[] {
    this.#isOver = true;
    const messageMetadata = { ...(this.#turn as TurnMetadata), status: how, cause, usage, costUsd, durationMs };
    const last = [...this.#blocks.close(), ...this.#tools.end(), { type: "finish-step" } as const];
    if (how === "completed") return [...last, { type: "finish", finishReason: "stop", messageMetadata }];
    const end: TurnChunk =
      how === "interrupted"
        ? { type: "abort" }
        : { type: "error", errorText: [cause ?? how, message].filter(Boolean).join(": ") };
    return [...last, { type: "message-metadata", messageMetadata }, end];
  }
}

function metadataOf({ itemId, parentId, content }: Item): PartMetadata {
  const call = content.find((part) => part.type === "tool_call");
  return { muster: { itemId, parentId, toolKind: call?.toolKind } };
}

function status(id: string, data: { label: string; detail?: string; retryable?: boolean }): TurnChunk {
  return { type: "data-status", id, data };
}
