import type { HarnessV1StreamPart } from "@ai-sdk/harness";
import type { Body, Item, Part, PermissionRequested } from "@muster/client";

type CallPart = Extract<Part, { type: "tool_call" }>;
type ResultPart = Extract<Part, { type: "tool_result" }>;
type Result = Extract<HarnessV1StreamPart, { type: "tool-result" }>["result"];

interface Call {
  id: string;
  name: string;
  title?: string;
  input: unknown;
  /** What deltas have told of the input, until the whole is known. */
  inputText: string;
  metadata: { muster: { itemId: string; parentId?: string; toolKind: string } };
  isTold: boolean;
  /** The framework takes one approval for a call; another one gets a call of its own. */
  isAsked: boolean;
  /** How its item ended; the result comes next, if there is one. */
  ended?: "completed" | "failed" | "cancelled";
  isSettled: boolean;
  /** It stays open when the turn ends, and holds up no step. */
  isBackground: boolean;
  /** Made for a permission that has no call; its own end is the decision. */
  isPermission: boolean;
}

/** The agent's tool calls in one turn: each is told once, and has one result. */
export class Calls {
  readonly #byId = new Map<string, Call>();
  readonly #byItem = new Map<string, Call>();
  readonly #byPermission = new Map<string, Call>();

  get isAnyOpen(): boolean {
    return [...this.#byId.values()].some((call) => !call.isSettled && !call.isBackground);
  }

  start(item: Item, part: CallPart): HarnessV1StreamPart[] {
    const known = this.#byId.get(part.callId);
    if (known !== undefined) return this.#moveTo(item, known);
    const call = this.#add(item, part);
    const { id, name: toolName, title, metadata: providerMetadata } = call;
    const head = { ...(title !== undefined && { title }), providerExecuted: true, dynamic: true, providerMetadata };
    return [{ type: "tool-input-start", id, toolName, ...head }, ...(isEmpty(part.input) ? [] : tell(call))];
  }

  growInput(itemId: string, delta: string): HarnessV1StreamPart[] {
    const call = this.#byItem.get(itemId);
    if (call === undefined || call.isTold) return [];
    call.inputText += delta;
    return [{ type: "tool-input-delta", id: call.id, delta }];
  }

  /** Something else happens: inputs that are whole by now are told. */
  tellWhole(): HarnessV1StreamPart[] {
    return [...this.#byId.values()].flatMap((call) => {
      if (call.isTold || call.inputText === "") return [];
      try {
        call.input = JSON.parse(call.inputText);
      } catch {
        // More of it will come.
        return [];
      }
      return tell(call);
    });
  }

  complete(item: Item, part: CallPart): HarnessV1StreamPart[] {
    const call = this.#byId.get(part.callId) ?? this.#add(item, part);
    if (item.status !== "in_progress") call.ended = item.status;
    call.input = call.isTold ? call.input : part.input;
    return call.isTold || call.isSettled ? [] : tell(call);
  }

  result(item: Item, part: ResultPart): HarnessV1StreamPart[] {
    const call = this.#byId.get(part.callId);
    if (call === undefined || call.isSettled) return [];
    const result = part.isError ? part.output || "failed" : resultOf(item, part);
    return settle(call, result, part.isError);
  }

  /** Calls whose item has ended and that have no result. */
  settleEnded(): HarnessV1StreamPart[] {
    return [...this.#byId.values()].flatMap((call) =>
      call.isSettled || call.ended === undefined ? [] : settleAs(call, call.ended),
    );
  }

  /** The turn is over: only what goes on in the background stays open. */
  settleAll(): HarnessV1StreamPart[] {
    const open = [...this.#byId.values()].filter((call) => !call.isSettled && !call.isBackground);
    return open.flatMap((call) => settleAs(call, call.ended ?? "cancelled"));
  }

  ask(permission: PermissionRequested): HarnessV1StreamPart[] {
    const { permissionId, itemId } = permission;
    const own = itemId === undefined ? undefined : this.#byItem.get(itemId);
    const call = own === undefined || own.isSettled || own.isAsked ? this.#addPermission(permission) : own;
    call.isAsked = true;
    this.#byPermission.set(permissionId, call);
    return [
      ...(call.isTold ? [] : tell(call)),
      { type: "tool-approval-request", approvalId: permissionId, toolCallId: call.id },
    ];
  }

  /** Asked before, and nobody has answered: the call is told with it. */
  askAgain(permissionId: string): HarnessV1StreamPart[] {
    const call = this.#byPermission.get(permissionId);
    if (call === undefined) return [];
    return [...tell(call), { type: "tool-approval-request", approvalId: permissionId, toolCallId: call.id }];
  }

  resolve({ permissionId, decision, message }: Body<"permission.resolved">["data"]): HarnessV1StreamPart[] {
    const call = this.#byPermission.get(permissionId);
    if (call?.isPermission !== true || call.isSettled) return [];
    if (decision === "allow") return settle(call, { text: "allowed" }, false);
    return settle(call, [decision, message].filter(Boolean).join(": "), true);
  }

  /** The same call as another item: it goes on in the background. */
  #moveTo({ itemId, background }: Item, call: Call): HarnessV1StreamPart[] {
    this.#byItem.set(itemId, call);
    call.isBackground ||= background === true;
    delete call.ended;
    return [];
  }

  #add(item: Item, { callId, name, title, toolKind, input }: CallPart): Call {
    const { itemId, parentId, background } = item;
    const call: Call = {
      id: callId,
      name,
      ...(title !== undefined && { title }),
      input,
      inputText: "",
      metadata: { muster: { itemId, ...(parentId !== undefined && { parentId }), toolKind } },
      isTold: false,
      isAsked: false,
      isSettled: false,
      isBackground: background === true,
      isPermission: false,
    };
    this.#byId.set(callId, call);
    this.#byItem.set(itemId, call);
    return call;
  }

  #addPermission({ permissionId, action, title, detail }: PermissionRequested): Call {
    const item: Item = { itemId: permissionId, kind: "tool_call", status: "in_progress", content: [] };
    const part = { type: "tool_call", callId: permissionId, name: action, toolKind: "other", title } as const;
    const call = this.#add(item, { ...part, input: detail ?? {} });
    call.isPermission = true;
    return call;
  }
}

function tell(call: Call): HarnessV1StreamPart[] {
  const { id: toolCallId, name: toolName, input, metadata: providerMetadata, isTold } = call;
  call.isTold = true;
  const head = { toolCallId, toolName, providerExecuted: true, dynamic: true, providerMetadata };
  return [
    ...(isTold || call.isPermission ? [] : [{ type: "tool-input-end", id: toolCallId } as const]),
    { type: "tool-call", ...head, input: JSON.stringify(input ?? {}) },
  ];
}

function settle(call: Call, result: Result, isError: boolean): HarnessV1StreamPart[] {
  const { id: toolCallId, name: toolName, metadata: providerMetadata } = call;
  const told = call.isTold ? [] : tell(call);
  call.isSettled = true;
  const part = { type: "tool-result", toolCallId, toolName, result, dynamic: true, providerMetadata } as const;
  return [...told, isError ? { ...part, isError } : part];
}

function settleAs(call: Call, how: NonNullable<Call["ended"]>): HarnessV1StreamPart[] {
  return how === "completed" ? settle(call, { text: "" }, false) : settle(call, how, true);
}

/** What a tool gave: its text, how it ended, and the files it read or changed. */
function resultOf({ content }: Item, { output, exitCode, json }: ResultPart): Result {
  const files = content.flatMap((part) => (part.type === "file" ? [{ ...part, type: undefined }] : []));
  const result = { text: output, exitCode, json, files: files.length > 0 ? files : undefined };
  // Only what JSON holds: fields without a value are left out.
  return JSON.parse(JSON.stringify(result)) as Result;
}

function isEmpty(input: unknown): boolean {
  return Object.keys(Object(input)).length === 0;
}
