import type { PartMetadata, ToolChunk, TurnChunk } from "./ui-chunk.ts";

/** A message of the AI SDK (`UIMessage`), as far as it is written here. */
export type ChatMessage = {
  id: string;
  role: "user" | "assistant";
  metadata?: object;
  parts: ChatPart[];
};

export type ChatPart = { type: string } & Record<string, unknown>;

/** Chunks → the parts that `useChat` makes of them: a page shows a past turn as it showed the live one. */
export class MessageParts {
  readonly parts: ChatPart[] = [];
  readonly #id: string;
  readonly #blocks = new Map<string, ChatPart>();
  readonly #tools = new Map<string, ChatPart>();
  readonly #data = new Map<string, ChatPart>();
  #metadata: object | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  toMessage(): ChatMessage {
    const metadata = this.#metadata === undefined ? {} : { metadata: this.#metadata };
    return { id: this.#id, role: "assistant", ...metadata, parts: this.parts };
  }

  add(chunks: readonly TurnChunk[]): void {
    for (const chunk of chunks) this.#add(chunk);
  }

  #add(chunk: TurnChunk): void {
    switch (chunk.type) {
      case "start":
      case "message-metadata":
      case "finish":
        if (chunk.messageMetadata !== undefined) this.#metadata = { ...this.#metadata, ...chunk.messageMetadata };
        return;
      case "start-step":
        this.parts.push({ type: "step-start" });
        return;
      case "text-start":
      case "reasoning-start":
        return this.#startBlock(chunk.type === "text-start" ? "text" : "reasoning", chunk);
      case "text-delta":
      case "reasoning-delta": {
        const block = this.#blocks.get(chunk.id);
        if (block !== undefined) block.text = `${block.text}${chunk.delta}`;
        return;
      }
      case "text-end":
      case "reasoning-end": {
        const block = this.#blocks.get(chunk.id);
        if (block !== undefined) block.state = "done";
        return;
      }
      case "file":
        this.parts.push({ type: "file", mediaType: chunk.mediaType, url: chunk.url });
        return;
      case "data-permission":
        this.#decide(chunk.data);
        return this.#replace(chunk);
      case "data-question":
      case "data-plan":
      case "data-usage":
      case "data-status":
        return this.#replace(chunk);
      case "finish-step":
      case "abort":
      case "error":
        return;
      default:
        this.#addTool(chunk);
    }
  }

  #startBlock(type: "text" | "reasoning", { id, providerMetadata }: { id: string; providerMetadata: PartMetadata }) {
    const block = { type, text: "", providerMetadata, state: "streaming" };
    this.#blocks.set(id, block);
    this.parts.push(block);
  }

  #replace({ type, id, data }: { type: string; id: string; data: unknown }): void {
    const known = this.#data.get(`${type} ${id}`);
    if (known !== undefined) {
      known.data = data;
      return;
    }
    const part = { type, id, data };
    this.#data.set(`${type} ${id}`, part);
    this.parts.push(part);
  }

  /** What the person decided, which a live page knows from its own answer. */
  #decide(data: Extract<TurnChunk, { type: "data-permission" }>["data"]): void {
    if (!("decision" in data) || data.by !== "user") return;
    const part = [...this.#tools.values()].find(({ approval }) => Object(approval).id === data.permissionId);
    if (part === undefined) return;
    const reason = data.message === undefined ? {} : { reason: data.message };
    part.approval = { id: data.permissionId, approved: data.decision === "allow", ...reason };
  }

  #addTool(chunk: ToolChunk): void {
    const part = this.#tools.get(chunk.toolCallId) ?? this.#startTool(chunk.toolCallId);
    switch (chunk.type) {
      case "tool-input-start":
        Object.assign(part, { toolName: chunk.toolName, state: "input-streaming", ...titleOf(chunk) });
        return;
      case "tool-input-available": {
        const { toolName, input, providerExecuted, providerMetadata } = chunk;
        const told = { toolName, input, providerExecuted, callProviderMetadata: providerMetadata, ...titleOf(chunk) };
        Object.assign(part, { ...told, state: "input-available" });
        return;
      }
      case "tool-approval-request":
        Object.assign(part, { state: "approval-requested", approval: { id: chunk.approvalId } });
        return;
      case "tool-output-available":
        Object.assign(part, { state: "output-available", output: chunk.output, preliminary: chunk.preliminary });
        return;
      case "tool-output-error":
        Object.assign(part, { state: "output-error", errorText: chunk.errorText });
        return;
      case "tool-output-denied":
        Object.assign(part, { state: "output-denied", approval: { ...Object(part.approval), approved: false } });
        return;
      case "tool-input-delta":
        return;
    }
  }

  #startTool(toolCallId: string): ChatPart {
    const part: ChatPart = { type: "dynamic-tool", toolCallId };
    this.#tools.set(toolCallId, part);
    this.parts.push(part);
    return part;
  }
}

function titleOf({ title }: { title?: string }): { title?: string } {
  return title === undefined ? {} : { title };
}
