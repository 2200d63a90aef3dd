import type { Body, Item, Part } from "@muster/schema";
import { JsonProgress } from "./json-progress.ts";
import type { PartMetadata, ToolChunk, ToolHead } from "./ui-chunk.ts";

type ToolCall = Extract<Part, { type: "tool_call" }>;
type Permission = Body<"permission.requested">["data"];

interface Call {
  head: ToolHead;
  input: unknown;
  /** Whether the whole input was told. */
  hasInput: boolean;
  progress: JsonProgress;
  /** A pause came while the input was being told: the next stream tells it when it is whole. */
  isCut?: boolean;
  /** The end of what the tool has written so far. */
  output: string;
  itemStatus: Item["status"];
  /** Nothing more is said of it. */
  isSettled: boolean;
  /** Made for a permission that belongs to no call. */
  isPermission?: boolean;
}

/** Enough to see that something happens; the result tells all. */
const shownOutput = 2_000;

/** The tool calls of one turn, from the first sign of each to its result. */
export class ToolChunks {
  readonly #calls = new Map<string, Call>();
  readonly #callOfItem = new Map<string, Call>();
  readonly #callOfPermission = new Map<string, Call>();

  start(item: Item, part: ToolCall, metadata: PartMetadata): ToolChunk[] {
    const call = this.#add(item, part, metadata);
    const { providerMetadata: _, ...head } = call.head;
    return [{ type: "tool-input-start", ...head }, ...(isEmpty(part.input) ? [] : this.#tellInput(call))];
  }

  growInput({ itemId, delta }: Body<"item.delta">["data"]): ToolChunk[] {
    const call = this.#callOfItem.get(itemId);
    if (call === undefined || call.hasInput) return [];
    const { toolCallId } = call.head;
    const whole = call.progress.push(delta);
    if (whole !== undefined) call.input = whole.value;
    if (whole !== undefined) return this.#tellInput(call);
    return call.isCut ? [] : [{ type: "tool-input-delta", toolCallId, inputTextDelta: delta }];
  }

  growOutput({ itemId, delta }: Body<"item.delta">["data"]): ToolChunk[] {
    const call = this.#callOfItem.get(itemId);
    if (call === undefined || call.isSettled) return [];
    call.output = (call.output + delta).slice(-shownOutput);
    const output = { text: call.output };
    const { toolCallId } = call.head;
    const chunk = { type: "tool-output-available", toolCallId, output, preliminary: true, dynamic: true } as const;
    return [...this.#needInput(call), chunk];
  }

  complete(item: Item, part: ToolCall, metadata: PartMetadata): ToolChunk[] {
    const known = this.#calls.get(part.callId);
    const call = known ?? this.#add(item, part, metadata);
    call.itemStatus = item.status;
    const isNews = !call.hasInput || JSON.stringify(call.input) !== JSON.stringify(part.input);
    if (call.isSettled || !isNews) return [];
    call.input = part.input;
    if (part.title !== undefined) call.head.title = part.title;
    return this.#tellInput(call);
  }

  result(item: Item, part: Extract<Part, { type: "tool_result" }>, metadata: PartMetadata): ToolChunk[] {
    const call = this.#calls.get(part.callId) ?? this.#add(item, unnamed(part.callId), metadata);
    // A refusal is not overwritten by the error it gave the agent.
    if (call.isSettled) return [];
    return [
      ...this.#needInput(call),
      ...(part.isError ? this.#fail(call, part.output) : this.#finish(call, item, part)),
    ];
  }

  request(permission: Permission): ToolChunk[] {
    const { permissionId, itemId } = permission;
    const ofItem = itemId === undefined ? undefined : this.#callOfItem.get(itemId);
    const call = ofItem === undefined || ofItem.isSettled ? this.#addPermission(permission) : ofItem;
    this.#callOfPermission.set(permissionId, call);
    const { toolCallId } = call.head;
    return [...this.#needInput(call), { type: "tool-approval-request", approvalId: permissionId, toolCallId }];
  }

  resolve({ permissionId, decision }: Body<"permission.resolved">["data"]): ToolChunk[] {
    const call = this.#callOfPermission.get(permissionId);
    if (call === undefined || call.isSettled) return [];
    const { toolCallId } = call.head;
    if (decision === "allow" && !call.isPermission) return this.#tellInput(call);
    const input = this.#needInput(call);
    call.isSettled = true;
    if (decision !== "allow") return [...input, { type: "tool-output-denied", toolCallId }];
    return [...input, { type: "tool-output-available", toolCallId, output: { text: "allowed" }, dynamic: true }];
  }

  /** Another message begins, in which no call has been told of. */
  forget(): void {
    for (const call of this.#calls.values()) call.hasInput = false;
  }

  pause(): void {
    for (const call of this.#calls.values()) call.isCut = true;
  }

  /** The turn is over: what has no result gets its end; only what goes on in the background stays open. */
  end(): ToolChunk[] {
    return [...this.#calls.values()].flatMap((call) => {
      if (call.isSettled || call.itemStatus === "in_progress") return [];
      const input = this.#needInput(call);
      return [...input, ...(call.itemStatus === "completed" ? this.#finish(call) : this.#fail(call, call.itemStatus))];
    });
  }

  #add({ itemId, status }: Item, { callId, name, title, input }: ToolCall, providerMetadata: PartMetadata): Call {
    const head: ToolHead = {
      toolCallId: callId,
      toolName: name,
      dynamic: true,
      providerExecuted: true,
      providerMetadata,
    };
    if (title !== undefined) head.title = title;
    const progress = new JsonProgress();
    const call: Call = { head, input, hasInput: false, progress, output: "", itemStatus: status, isSettled: false };
    this.#calls.set(callId, call);
    this.#callOfItem.set(itemId, call);
    return call;
  }

  #addPermission({ permissionId, action, title, detail }: Permission): Call {
    const item: Item = { itemId: permissionId, kind: "tool_call", status: "completed", content: [] };
    const part: ToolCall = {
      type: "tool_call",
      callId: permissionId,
      name: action,
      toolKind: "other",
      title,
      input: detail ?? {},
    };
    const call = this.#add(item, part, { muster: { itemId: permissionId } });
    call.isPermission = true;
    return call;
  }

  #needInput(call: Call): ToolChunk[] {
    return call.hasInput ? [] : this.#tellInput(call);
  }

  #tellInput(call: Call): ToolChunk[] {
    call.hasInput = true;
    return [{ type: "tool-input-available", ...call.head, input: call.input ?? {} }];
  }

  #finish(call: Call, item?: Item, part?: Extract<Part, { type: "tool_result" }>): ToolChunk[] {
    call.isSettled = true;
    const { toolCallId } = call.head;
    return [{ type: "tool-output-available", toolCallId, output: outputOf(item, part), dynamic: true }];
  }

  #fail(call: Call, errorText: string): ToolChunk[] {
    call.isSettled = true;
    return [{ type: "tool-output-error", toolCallId: call.head.toolCallId, errorText, dynamic: true }];
  }
}

/** What a tool gave: its text, how it ended, and the files it read or changed. */
function outputOf(item: Item | undefined, part: Extract<Part, { type: "tool_result" }> | undefined) {
  const files = item?.content.filter((other) => other.type === "file").map(({ type: _, ...file }) => file) ?? [];
  return {
    text: part?.output ?? "",
    ...(part?.exitCode !== undefined && { exitCode: part.exitCode }),
    ...(part?.json !== undefined && { json: part.json }),
    ...(files.length > 0 && { files }),
  };
}

function unnamed(callId: string): ToolCall {
  return { type: "tool_call", callId, name: "tool", toolKind: "other", input: {} };
}

function isEmpty(input: unknown): boolean {
  return input === undefined || input === null || (typeof input === "object" && Object.keys(input).length === 0);
}
