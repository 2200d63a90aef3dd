import { parseJson } from "@muster/core";
import type { Body, EventBody, Item, Part } from "@muster/schema";
import { textOf } from "../../converter/left-out.ts";
import type { Transcript } from "../../converter/line-writer.ts";
import { writeQuestion } from "../../converter/tools/asked-question.ts";
import { codeOf } from "../read/failures.ts";
import { readableText } from "../read/tool-output.ts";
import type { SaidLine } from "../wire/native.ts";
import { inputOf } from "./left-out.ts";
import { remarkOf } from "./remarks.ts";

type Call = Extract<Part, { type: "tool_call" }>;
type Result = Extract<Part, { type: "tool_result" }>;

interface OpenCall {
  call: Call;
  /** Who makes it. */
  agent: string | undefined;
  isTold: boolean;
  /** Its input as far as it is written. */
  written: string;
  /** What works inside it has been told as a sub-agent. */
  hasAgent: boolean;
}

/** Any session as `codebuff --stream-json` would have told it. */
export class CodebuffTranscript implements Transcript<SaidLine> {
  /** item → a call without a result. */
  readonly #calls = new Map<string, OpenCall>();
  /** callId → its item. */
  readonly #items = new Map<string, string>();
  /** item of a sub-agent → its agentId; undefined is the agent that leads the conversation. */
  readonly #agents = new Map<string, string>();
  /** agent → what it said last: more of the same kind would go on with it. */
  readonly #spoken = new Map<string | undefined, "text" | "thought">();
  /** Questions that are asked by a call of their own. */
  readonly #asked = new Set<string>();
  #hasError = false;

  readonly says: Transcript<SaidLine>["says"] = {
    "turn.started": () => [{ type: "start", messageHistoryLength: 0 }],
    "turn.ended": (data) => this.#end(data),
    "item.started": ({ item }) => this.#start(item),
    "item.delta": (data) => this.#progress(data),
    "item.completed": ({ item }) => this.#complete(item),
    error: ({ code: cause, message, retryable }) => {
      this.#hasError = true;
      return [{ type: "error", message, code: codeOf({ cause, retryable }) ?? cause }];
    },
    "question.requested": (data) => this.#question(data),
    "permission.requested": (data) => this.#permission(data),
    "question.resolved": ({ questionId }) => this.#answer(questionId, { skipped: true }),
    "permission.resolved": ({ permissionId }) => this.#answer(permissionId, { decision: "deny" }),
  };

  /** Inputs are told whole, when they are needed. */
  skip({ type, data }: EventBody): void {
    const open = type === "item.delta" && data.part === "input" ? this.#calls.get(data.itemId) : undefined;
    if (open && type === "item.delta") open.written += data.delta;
  }

  #start(item: Item): SaidLine[] {
    const [part] = item.content;
    if (part?.type === "tool_call") {
      const [lines, agent] = this.#agentOf(item.parentId);
      this.#calls.set(item.itemId, { call: part, agent, isTold: false, written: "", hasAgent: false });
      this.#items.set(part.callId, item.itemId);
      return isKnown(part.input) ? [...lines, ...this.#tell(item.itemId)] : lines;
    }
    return item.kind === "status" ? this.#subagent("subagent_start", item) : [];
  }

  /** A call is told once, with its input: at the latest when something happens in it. */
  #tell(itemId: string): SaidLine[] {
    const open = this.#calls.get(itemId);
    if (open === undefined || open.isTold) return [];
    open.isTold = true;
    this.#spoken.delete(open.agent);
    const { callId: toolCallId, name: toolName } = open.call;
    const input = inputOf(parseJson(open.written, open.call.input));
    return [{ type: "tool_call", toolCallId, toolName, input, agentId: open.agent }];
  }

  /** Whose words stand in an item, and the lines that tell of an agent that other agents do not name. */
  #agentOf(parentId: string | undefined): [SaidLine[], string | undefined] {
    const known = parentId === undefined ? undefined : this.#agents.get(parentId);
    const open = parentId === undefined ? undefined : this.#calls.get(parentId);
    if (parentId === undefined || known !== undefined || open === undefined) return [[], known];
    const { callId, name: agentType, title: displayName = agentType } = open.call;
    const agentId = `${callId}/agent`;
    open.hasAgent = true;
    this.#agents.set(parentId, agentId);
    const about = { agentId, agentType, displayName, onlyChild: true, toolCallId: callId, parentAgentId: open.agent };
    return [[...this.#tell(parentId), { type: "subagent_start", ...about }], agentId];
  }

  #subagent(type: "subagent_start" | "subagent_finish", item: Item): SaidLine[] {
    const remark = remarkOf(item);
    if (remark?.of !== "subagent") return [];
    const { of: _, ...about } = remark;
    const call = item.parentId === undefined ? undefined : this.#calls.get(item.parentId);
    const parentAgentId = call?.agent ?? (item.parentId === undefined ? undefined : this.#agents.get(item.parentId));
    const agentId = item.nativeItemId ?? item.itemId;
    this.#agents.set(item.itemId, agentId);
    const isEnd = type === "subagent_finish";
    const before = isEnd || item.parentId === undefined ? this.#endSpoken(parentAgentId) : this.#tell(item.parentId);
    this.#spoken.delete(isEnd ? agentId : parentAgentId);
    const toolCallId = call?.call.callId ?? "";
    return [...before, { type, agentId, onlyChild: true, parentAgentId, toolCallId, ...about }];
  }

  #progress({ itemId, part, delta: output }: Body<"item.delta">["data"]): SaidLine[] {
    const open = this.#calls.get(itemId);
    if (open === undefined || part !== "output") return [];
    const { callId: toolCallId, name: toolName } = open.call;
    return [...this.#tell(itemId), { type: "tool_progress", toolCallId, toolName, output }];
  }

  #complete(item: Item): SaidLine[] {
    const { itemId, kind, content } = item;
    const [part] = content;
    if (kind === "status") {
      const remark = remarkOf(item);
      return remark?.of === "line"
        ? [...this.#endSpoken(undefined), remark.line]
        : this.#subagent("subagent_finish", item);
    }
    if (kind === "tool_result")
      return content.flatMap((one) => (one.type === "tool_result" ? this.#result(one, content) : []));
    if (part?.type === "tool_call") {
      const open = this.#calls.get(itemId);
      if (open !== undefined) {
        open.call = part;
        open.written = "";
      }
      return this.#tell(itemId);
    }
    const [begun, agent] = this.#agentOf(item.parentId);
    return [...begun, ...content.flatMap((one, index) => this.#say(`${itemId}/${index}`, agent, one))];
  }

  #say(runId: string, agentId: string | undefined, part: Part): SaidLine[] {
    if (part.type === "reasoning") {
      this.#spoken.set(agentId, "thought");
      return [{ type: "reasoning_delta", text: part.text, runId, ancestorRunIds: [], agentId }];
    }
    if (!("text" in part) && part.type !== "json") return [];
    const ended = this.#spoken.get(agentId) === "text" ? this.#endSpoken(agentId) : [];
    this.#spoken.set(agentId, "text");
    return [...ended, { type: "text", text: textOf([part]), agentId }];
  }

  /** A line of the other kind with nothing in it ends what was said: two texts in a row stay two. */
  #endSpoken(agentId: string | undefined): SaidLine[] {
    const kind = this.#spoken.get(agentId);
    this.#spoken.delete(agentId);
    if (kind === undefined) return [];
    return kind === "thought"
      ? [{ type: "text", text: "", agentId }]
      : [{ type: "reasoning_delta", text: "", ancestorRunIds: [], agentId }];
  }

  #result(result: Result, content: readonly Part[]): SaidLine[] {
    const { callId: toolCallId } = result;
    const itemId = this.#items.get(toolCallId) ?? "";
    const open = this.#calls.get(itemId);
    this.#items.delete(toolCallId);
    this.#calls.delete(itemId);
    this.#spoken.delete(open?.agent);
    const agentId = this.#agents.get(itemId);
    const { name = "", title = name } = open?.call ?? {};
    const finished = { type: "subagent_finish", agentId, agentType: name, displayName: title, onlyChild: true };
    const media = content.flatMap((part) =>
      part.type === "image" ? [{ type: "media", data: part.data ?? "", mediaType: part.mime }] : [],
    );
    const output = [...valuesOf(result).map((value) => ({ type: "json", value })), ...media];
    const line = { type: "tool_result", toolCallId, toolName: name, output, agentId: open?.agent };
    return open?.hasAgent ? [finished, line] : [line];
  }

  #question({ questionId: toolCallId, questions }: Body<"question.requested">["data"]): SaidLine[] {
    // The call that asks is told already: Codebuff's own.
    if (this.#items.has(toolCallId)) return this.#tell(this.#items.get(toolCallId) ?? "");
    this.#asked.add(toolCallId);
    const input = { questions: questions.map(writeQuestion) };
    return [{ type: "tool_call", toolCallId, toolName: "ask_user", input }];
  }

  #permission(data: Body<"permission.requested">["data"]): SaidLine[] {
    const { permissionId, action, title, itemId = "", detail: { command, paths, diff, url, tool, reason } = {} } = data;
    const call = this.#calls.get(itemId)?.call.callId ?? "";
    const permission = { toolCallId: call, action, title, tool, command, paths, diff, url, reason };
    this.#asked.add(permissionId);
    const line = { type: "tool_call", toolCallId: permissionId, toolName: "ask_user", input: {}, permission };
    return [...this.#tell(itemId), line];
  }

  #answer(toolCallId: string, value: object): SaidLine[] {
    if (!this.#asked.delete(toolCallId)) return [];
    return [{ type: "tool_result", toolCallId, toolName: "ask_user", output: [{ type: "json", value }] }];
  }

  #end({ status, cause, message, usage, costUsd }: Body<"turn.ended">["data"]): SaidLine[] {
    const hasError = this.#hasError;
    this.#hasError = false;
    for (const open of [this.#calls, this.#items, this.#agents, this.#spoken, this.#asked]) open.clear();
    const cost =
      costUsd === undefined
        ? { totalCost: 0, costUnknown: true }
        : { totalCost: Math.round(costUsd * 100), totalCostUsd: costUsd };
    const finish = { type: "finish", status: statusOf(status, cause), ...cost, usage };
    if (hasError || status === "completed" || status === "interrupted" || message === undefined) return [finish];
    const code = codeOf({ cause: cause ?? "agent_error", retryable: false });
    return [{ type: "error", message, code }, finish];
  }
}

/** An input that is not written yet is empty, or its fields are. */
function isKnown(input: unknown): boolean {
  return Object.values(Object(input)).some((value) => value !== "");
}

/** The values of a result as they were, where its text tells them; else its text. */
function valuesOf({ output, isError, exitCode, json }: Result): unknown[] {
  if (exitCode !== undefined)
    return [{ stdout: output, exitCode, errorMessage: isError && exitCode === 0 ? output : undefined }];
  if (isError) return [{ errorMessage: output }];
  if (json !== undefined && readableText([json]) === output) return [json];
  return Array.isArray(json) && readableText(json) === output ? json : [output];
}

function statusOf(status: Body<"turn.ended">["data"]["status"], cause: string | undefined): string {
  if (status === "completed") return "completed";
  if (status === "interrupted") return "cancelled";
  return cause === "max_steps" ? "max_steps" : cause === "turn_timeout" ? "timeout" : "failed";
}
