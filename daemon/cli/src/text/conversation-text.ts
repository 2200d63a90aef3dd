import type { Paint } from "@muster/core";
import type { Body, Item, Part, UniversalEvent } from "@muster/schema";
import { partText } from "./event-line.ts";
import { printable } from "./printable.ts";
import { permissionCommand, permissionText, questionCommand, questionText } from "./request-text.ts";
import { type ToolCall, toolLine, toolTitle } from "./tool-line.ts";
import { turnLine } from "./turn-line.ts";

export interface ConversationOptions {
  paint: Paint;
  /** What the person wrote is shown too; not where they have just typed it. */
  showsUser?: boolean;
  /** Requests are shown with the command that answers them; not where they are asked on the spot. */
  showsRequests?: boolean;
  /** The width of the terminal; there a tool that runs is named on a line that vanishes. */
  columns?: number;
}

/** The events of a session as a conversation, piece by piece: text as it comes, tools as a line each. */
export class ConversationText {
  readonly #options: ConversationOptions;
  readonly #calls = new Map<string, { call: ToolCall; startedAt: number; isTold: boolean }>();
  /** The item whose text is being written as it comes; others wait for their end. */
  #streaming: { itemId: string; index: number } | undefined;
  readonly #nested = new Set<string>();
  /** Of the open turn: its end does not say it again. */
  #toldError: string | undefined;
  #last: "nothing" | "text" | "line" = "nothing";
  #isMidLine = false;
  #fleeting = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** What is to be written for this event; often nothing. */
  text(event: UniversalEvent): string {
    const { paint, showsRequests = false } = this.#options;
    switch (event.type) {
      case "session.started": {
        const { agent, agentVersion, model, directory } = event.data;
        return this.#line(paint.dim([agent, agentVersion, model, directory].filter(Boolean).map(plainWord).join(" ")));
      }
      case "session.ended":
        return this.#line(paint.dim(`the agent has ended: ${plainWord(event.data.message ?? event.data.reason)}`));
      case "item.started":
        return this.#start(event.data.item, event.time);
      case "item.delta":
        return this.#delta(event.data);
      case "item.completed":
        return this.#complete(event.data.item, event.time);
      case "plan.updated":
        return this.#line(event.data.entries.map((entry) => planEntry(entry, paint)).join("\n"));
      case "permission.requested": {
        const command = paint.dim(`  ${permissionCommand(event.sessionId, event.data)}`);
        return showsRequests ? this.#line(permissionText(event.data, paint) + command) : this.#line("");
      }
      case "question.requested": {
        const command = paint.dim(`  ${questionCommand(event.sessionId, event.data)}`);
        return showsRequests ? this.#line(questionText(event.data, paint) + command) : this.#line("");
      }
      case "permission.resolved": {
        const { decision, by, scope } = event.data;
        if (by === "mode" || (by === "user" && !showsRequests)) return "";
        return this.#line(paint.dim(`  ${decision}${scope === "session" ? " always" : ""} (by ${by})`));
      }
      case "question.resolved":
        return showsRequests ? this.#line(paint.dim(`  ${answersText(event.data)}`)) : "";
      case "error":
        this.#toldError = event.data.message;
        return this.#line(paint.red(`! ${printable(event.data.message)}`));
      case "turn.started":
        this.#toldError = undefined;
        return "";
      case "turn.ended":
        return this.#line(turnLine(event.data, paint, this.#toldError).trimEnd());
      case "agent.unparsed":
        return this.#line(paint.dim(`· a line that is not understood: ${printable(event.data.error)}`));
      case "log.damaged":
        return this.#line(paint.red(`! events ${event.data.from} to ${event.data.to} cannot be read any more`));
      case "message.updated":
        if (event.data.status !== "cancelled" && event.data.status !== "failed") return "";
        return this.#line(paint.yellow(`the message was ${event.data.status}`));
    }
    return "";
  }

  #start(item: Item, time: string): string {
    if (item.parentId !== undefined) this.#nested.add(item.itemId);
    const call = item.content.find(isCall);
    if (call === undefined) return "";
    this.#calls.set(call.callId, { call, startedAt: Date.parse(time), isTold: false });
    const { columns, paint } = this.#options;
    if (columns === undefined || this.#isMidLine) return "";
    const clear = this.#clear();
    this.#fleeting = true;
    return `${clear}${paint.dim(`… ${toolTitle(call)}`.slice(0, Math.max(1, columns - 1)))}`;
  }

  #delta({ itemId, index, part, delta }: Body<"item.delta">["data"]): string {
    if ((part !== "text" && part !== "reasoning") || this.#nested.has(itemId)) return "";
    const { paint } = this.#options;
    let start = "";
    if (this.#streaming === undefined) {
      start = this.#open(part === "text" ? "text" : "line") + (part === "reasoning" ? paint.dim("thinking: ") : "");
      this.#streaming = { itemId, index };
    } else if (this.#streaming.itemId !== itemId) {
      return "";
    } else if (this.#streaming.index !== index) {
      start = "\n";
      this.#streaming.index = index;
    }
    const text = printable(delta);
    this.#isMidLine = !text.endsWith("\n");
    return start + (part === "reasoning" ? paint.dim(text) : text);
  }

  #complete(item: Item, time: string): string {
    if (this.#streaming?.itemId === item.itemId) {
      this.#streaming = undefined;
      return item.status === "cancelled" ? this.#line(this.#options.paint.dim("(cut off)")) : this.#endLine();
    }
    const { paint, showsUser = false } = this.#options;
    const said = printable(item.content.map(partText).join("\n")).trim();
    const lead = item.parentId === undefined ? "" : "    ";
    switch (item.kind) {
      case "tool_call":
        return this.#endCall(item, time, lead);
      case "tool_result":
        return this.#endTool(item, time, lead);
      case "reasoning":
        return said === "" ? "" : this.#line(paint.dim(indented(`thinking: ${said}`, lead)));
      case "status":
        if (item.content.some((part) => part.type === "status" && toldElsewhere.has(part.label))) return "";
        return this.#line(paint.dim(indented(`· ${said}`, lead)));
      case "message":
      case "plan":
        if (item.role === "user") return showsUser ? this.#block(paint.bold(indented(`› ${said}`, lead))) : "";
        return said === "" ? "" : this.#block(indented(said, lead));
    }
  }

  /** A call that was stopped has no result that would be told. */
  #endCall(item: Item, time: string, lead: string): string {
    const call = item.content.find(isCall);
    if (call === undefined) return "";
    const known = this.#calls.get(call.callId);
    const isTold = item.status === "cancelled";
    this.#calls.set(call.callId, { call, startedAt: known?.startedAt ?? Date.parse(time), isTold });
    if (!isTold) return "";
    return this.#line(lead + toolLine({ call, status: item.status, content: [] }, this.#options.paint).trimEnd());
  }

  #endTool(item: Item, time: string, lead: string): string {
    const callId = item.content.find((part) => part.type === "tool_result")?.callId ?? "";
    const known = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (known?.isTold) return "";
    const durationMs = known === undefined ? undefined : Date.parse(time) - known.startedAt;
    const end = { call: known?.call, status: item.status, content: item.content, durationMs };
    return this.#line(lead + toolLine(end, this.#options.paint).trimEnd());
  }

  /** One or more whole lines. */
  #line(text: string): string {
    const start = this.#open("line");
    return text === "" ? start : `${start}${text}\n`;
  }

  /** Text that stands apart from the lines around it. */
  #block(text: string): string {
    return `${this.#open("text")}${text}\n`;
  }

  /** Ends what is on the line, and leaves a blank one between text and lines. */
  #open(kind: "text" | "line"): string {
    const end = this.#clear() + this.#endLine();
    const isChange = this.#last !== "nothing" && (this.#last !== kind || kind === "text");
    this.#last = kind;
    return isChange ? `${end}\n` : end;
  }

  #endLine(): string {
    const isMidLine = this.#isMidLine;
    this.#isMidLine = false;
    return isMidLine ? "\n" : "";
  }

  #clear(): string {
    const wasFleeting = this.#fleeting;
    this.#fleeting = false;
    return wasFleeting ? "\r\x1b[K" : "";
  }
}

/** By the end of the turn, and by the calls that edited. */
const toldElsewhere: ReadonlySet<string> = new Set(["interrupted", "turn_diff"]);

function isCall(part: Part): part is ToolCall {
  return part.type === "tool_call";
}

function plainWord(text: string | undefined): string {
  return printable(text ?? "");
}

function indented(text: string, lead: string): string {
  return lead === "" ? text : lead + text.replaceAll("\n", `\n${lead}`);
}

const planMarks = { pending: "[ ]", in_progress: "[>]", completed: "[x]", cancelled: "[-]" } as const;

function planEntry({ content, status }: Body<"plan.updated">["data"]["entries"][number], paint: Paint): string {
  const line = `  ${planMarks[status]} ${printable(content)}`;
  return status === "completed" || status === "cancelled" ? paint.dim(line) : line;
}

function answersText({ status, answers }: Body<"question.resolved">["data"]): string {
  const said = answers?.map((answer) => answer.join(", ")).join("; ");
  return said === undefined ? status : said === "" ? "left unanswered" : `answered: ${printable(said)}`;
}
