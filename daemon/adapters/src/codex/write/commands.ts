import { withEntry, withoutEntry } from "@muster/core";
import type { AttachmentInfo } from "@muster/schema";
import type { RpcRequest } from "../../channel/json-rpc.ts";
import type { Command } from "../../commands.ts";
import { chain, emit } from "../../converter/steps.ts";
import { type CodexState, type CodexStep, keyOf, reply } from "../wire/state.ts";
import { isPlanning, policies } from "./policies.ts";
import { allow, answer, decline } from "./replies.ts";

/** A command in Codex's words. The channel puts the thread's name on every line that has none. */
export function writeCommand(state: CodexState, command: Command): CodexStep {
  switch (command.type) {
    case "message":
      return writeMessage(state, command);
    case "steer":
      return writeSteer(state, command);
    case "permission": {
      const { requestKey, decision, message = "The person said no", stops } = command;
      const request = state.requests.get(requestKey);
      // Codex has withdrawn it in the meantime; an answer to a number it has forgotten would be an answer to nothing.
      if (request === undefined) return emit(state);
      const line = decision === "allow" ? allow(request) : decline(request, { message, stops });
      return reply(withoutRequest(state, requestKey), [], [line]);
    }
    case "question": {
      const { requestKey, answers, message } = command;
      const request = state.requests.get(requestKey);
      if (request === undefined) return emit(state);
      return reply(withoutRequest(state, requestKey), [], [answer(request, answers, message)]);
    }
    case "interrupt":
      return writeInterrupt(state);
    case "update":
      return writeUpdate(state, command);
  }
}

/** A request of ours; its id says what it was for. */
export function call(
  state: CodexState,
  method: string,
  params: object,
  name = `${method}:${state.calls + 1}`,
): { state: CodexState; line: RpcRequest } {
  const line: RpcRequest = { id: name, method, params };
  return { state: { ...state, calls: state.calls + 1 }, line };
}

/** What `id` says a request was for, without the thread the channel put before it. */
export function purposeOf(id: string | number): { method: string; subject: string } {
  const text = String(id);
  const name = text.slice(text.indexOf("//") < 0 ? 0 : text.indexOf("//") + 2);
  const at = name.lastIndexOf(":");
  return at < 0 ? { method: name, subject: "" } : { method: name.slice(0, at), subject: name.slice(at + 1) };
}

function writeMessage(state: CodexState, { messageId, text, attachments }: Extract<Command, { type: "message" }>) {
  const isPlan = isPlanning(state);
  const mode = isPlan || state.planned ? collaborationMode(state) : undefined;
  const params = { input: inputOf(text, attachments), clientUserMessageId: messageId, collaborationMode: mode };
  const begun = { ...state, turn: { messageIds: [messageId] }, planned: isPlan };
  const { state: next, line } = call(begun, "turn/start", params, `turn/start:${messageId}`);
  return reply(next, [], [line]);
}

/** With the id of the turn it is meant for: one that has ended meanwhile must not be followed by a new one. */
function writeSteer(state: CodexState, { messageId, text, attachments }: Extract<Command, { type: "steer" }>) {
  const expectedTurnId = state.turn?.turnId ?? "";
  const params = { input: inputOf(text, attachments), clientUserMessageId: messageId, expectedTurnId };
  const steering = new Set(state.steering).add(messageId);
  const { state: next, line } = call({ ...state, steering }, "turn/steer", params, `turn/steer:${messageId}`);
  return reply(next, [], [line]);
}

function writeInterrupt(state: CodexState): CodexStep {
  const { turn } = state;
  if (turn === null) return emit(state);
  if (turn.turnId === undefined) return emit({ ...state, turn: { ...turn, stop: true } });
  const turns: { threadId?: string; turnId: string }[] = [{ turnId: turn.turnId }];
  for (const [threadId, child] of state.children) {
    if (child.turnId !== undefined) turns.push({ threadId, turnId: child.turnId });
  }
  return chain(
    state,
    ...turns.map((params) => (before: CodexState) => {
      const { state: next, line } = call(before, "turn/interrupt", params);
      return reply(next, [], [line]);
    }),
  );
}

/** For the next turns; a turn that is open goes on as it began. */
function writeUpdate(state: CodexState, change: Extract<Command, { type: "update" }>): CodexStep {
  const { model, variant: effort, agentMode, permissionMode } = change;
  const changed = {
    ...state,
    model: model ?? state.model,
    variant: effort ?? state.variant,
    agentMode: agentMode ?? state.agentMode,
    permissionMode: permissionMode ?? state.permissionMode,
  };
  const touchesMode = agentMode !== undefined || permissionMode !== undefined || isPlanning(changed);
  const isModeTold = touchesMode && (isPlanning(changed) || state.planned || agentMode !== undefined);
  const policy = permissionMode === undefined ? undefined : policies[permissionMode];
  const params = {
    model,
    effort,
    approvalPolicy: policy?.approvalPolicy,
    sandboxPolicy: policy?.sandboxPolicy,
    collaborationMode: isModeTold ? collaborationMode(changed) : undefined,
  };
  const planned = isModeTold ? isPlanning(changed) : state.planned;
  const { state: next, line } = call({ ...changed, planned }, "thread/settings/update", params);
  return reply(next, [], [line]);
}

/** `null` instructions are those that Codex has for the mode. */
function collaborationMode(state: CodexState) {
  const mode = isPlanning(state) ? "plan" : "default";
  const { model, variant = null } = state;
  return { mode, settings: { model, reasoning_effort: variant, developer_instructions: null } };
}

/** What stands before the path of a file that is no image; Codex has no input for other files. */
export const fileMark = "Attached file: ";

function inputOf(text: string, attachments: readonly AttachmentInfo[]): object[] {
  return [
    { type: "text", text, text_elements: [] },
    ...attachments.map(({ path, mime }) =>
      mime.startsWith("image/")
        ? { type: "localImage", path }
        : { type: "text", text: `${fileMark}${path}`, text_elements: [] },
    ),
  ];
}

function withoutRequest(state: CodexState, requestKey: string): CodexState {
  const itemKey = state.requests.get(requestKey)?.itemKey;
  const open = itemKey === undefined ? undefined : state.items.get(itemKey);
  const items = open
    ? withEntry(state.items, keyOf(open.threadId, open.native.id), { ...open, waits: false })
    : state.items;
  return { ...state, items, requests: withoutEntry(state.requests, requestKey) };
}
