import type { Paint } from "@muster/core";
import { type Body, type Item, type Part, type UniversalEvent, WorkTimes, workMs } from "@muster/schema/wire";
import { changedLines } from "./diff-lines.ts";
import { partText } from "./event-line.ts";
import type { GrowingText } from "./markdown/growing-text.ts";
import { planEntry } from "./plan-entry.ts";
import { printable } from "./printable.ts";
import { permissionCommand, permissionText, questionCommand, questionText } from "./request-text.ts";
import { type ToolCall, type ToolLook, toolLine, toolTitle } from "./tool-line.ts";
import { turnLine } from "./turn-line.ts";

export interface ConversationOptions {
  paint: Paint;
  /** What the person wrote is shown too; not where they have just typed it. */
  showsUser?: boolean;
  /** Requests are shown with the command that answers them; not where they are asked on the spot. */
  showsRequests?: boolean;
  /** The width of the terminal. */
  columns?: number;
  /** How text is drawn while it is written, where there is a place for lines that still change; otherwise it is given as it comes. */
  growing?(kind: "text" | "reasoning"): GrowingText;
}

/** The events of a session as a conversation, piece by piece: text as it comes, tools as a line each. */
export class ConversationText {
  readonly #options: ConversationOptions;
  readonly #calls = new Map<string, { call: ToolCall; itemId: string; isTold: boolean }>();
  /** The item whose text is being written as it comes; others wait for their end. */
  #streaming: { itemId: string; index: number; text?: GrowingText } | undefined;
  /** Calls that have no end yet, by their id: the last one is named below everything. */
  readonly #running = new Map<string, ToolCall>();
  /** Questions and permissions that wait: what is asked stands at the end. */
  readonly #asked = new Set<string>();
  /** Diffs and plans that a person was shown to decide on. */
  readonly #shown = new Set<string>();
  readonly #nested = new Set<string>();
  /** Of the open turn: its end does not say it again. */
  #toldError: string | undefined;
  #last: "nothing" | "text" | "line" = "nothing";
  #isMidLine = false;
  readonly #times = new WorkTimes();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** What stands below everything until the next event: text that still changes, and the tool that runs. */
  live(): string[] {
    if (this.#options.growing === undefined || this.#asked.size > 0) return [];
    const open = this.#streaming?.text?.open() ?? [];
    const tool = [...this.#running.values()].at(-1);
    if (tool === undefined) return open;
    const gap = open.length > 0 || this.#last === "text" ? [""] : [];
    return [...open, ...gap, this.#options.paint.dim(`… ${toolTitle(tool)}`)];
  }

  /** Ends whatever is on its way, so that something else can be written. */
  end(): string {
    const rest = this.#endText() + this.#endLine();
    this.#streaming = undefined;
    return rest;
  }

  /** What the person has said, where they do not see it stand already. */
  said(text: string): string {
    const end = this.end();
    this.#last = "text";
    return `${end}\n${text}\n`;
  }

  /** Whether this plan stands above already. */
  hasShown(text: string): boolean {
    return this.#shown.has(text.trim());
  }

  /** What is to be written for this event; often nothing. */
  text(event: UniversalEvent): string {
    const { paint, showsRequests = false } = this.#options;
    this.#times.push(event);
    switch (event.type) {
      case "session.started": {
        const { agent, agentVersion, model, directory } = event.data;
        return this.#line(paint.dim([agent, agentVersion, model, directory].filter(Boolean).map(plainWord).join(" ")));
      }
      case "session.ended":
        return this.#line(paint.dim(`the agent has ended: ${plainWord(event.data.message ?? event.data.reason)}`));
      case "item.started":
        return this.#start(event.data.item);
      case "item.delta":
        return this.#delta(event.data);
      case "item.completed":
        return this.#complete(event.data.item, event.time);
      case "plan.updated":
        return this.#line(event.data.entries.map((entry) => planEntry(entry, paint)).join("\n"));
      case "permission.requested": {
        this.#asked.add(event.data.permissionId);
        if (event.data.detail?.diff !== undefined) this.#shown.add(changedLines(event.data.detail.diff));
        const command = paint.dim(`  ${permissionCommand(event.sessionId, event.data)}`);
        return showsRequests ? this.#line(permissionText(event.data, paint) + command) : this.#line("");
      }
      case "question.requested": {
        this.#asked.add(event.data.questionId);
        const command = paint.dim(`  ${questionCommand(event.sessionId, event.data)}`);
        const shown = showsRequests ? this.#line(questionText(event.data, paint) + command) : this.#line("");
        for (const { body } of event.data.questions) if (body !== undefined) this.#shown.add(body.trim());
        return shown;
      }
      case "permission.resolved": {
        const { decision, by, scope, permissionId } = event.data;
        this.#asked.delete(permissionId);
        if (by === "mode" || ((by === "user" || by === "client") && !showsRequests)) return "";
        return this.#line(paint.dim(`  ${decision}${scope === "session" ? " always" : ""} (by ${by})`));
      }
      case "question.resolved":
        this.#asked.delete(event.data.questionId);
        return showsRequests ? this.#line(paint.dim(`  ${answersText(event.data)}`)) : "";
      case "error":
        this.#toldError = event.data.message;
        return this.#line(paint.red(`! ${printable(event.data.message)}`));
      case "turn.started":
        this.#toldError = undefined;
        return "";
      case "turn.ended":
        this.#running.clear();
        this.#asked.clear();
        return this.#line(turnLine(event.data, paint, this.#toldError).trimEnd());
      case "agent.unparsed":
        return this.#line(paint.dim(`· a line that is not understood: ${printable(event.data.error)}`));
      case "snapshot.skipped":
        // A directory that is never recorded (the home, one above the data directory) is no news of this conversation.
        if (event.data.reason === "unavailable") return "";
        return this.#line(paint.dim(`· no snapshot of the files: ${printable(event.data.detail)}`));
      case "log.damaged":
        return this.#line(paint.red(`! events ${event.data.from} to ${event.data.to} cannot be read any more`));
      case "message.updated":
        if (event.data.status !== "cancelled" && event.data.status !== "failed") return "";
        return this.#line(paint.yellow(messageEnds[event.data.status]));
    }
    return "";
  }

  #start(item: Item): string {
    if (item.parentId !== undefined) this.#nested.add(item.itemId);
    const call = item.content.find(isCall);
    if (call === undefined) return "";
    this.#calls.set(call.callId, { call, itemId: item.itemId, isTold: false });
    this.#running.set(call.callId, call);
    return "";
  }

  #delta({ itemId, index, part, delta }: Body<"item.delta">["data"]): string {
    if ((part !== "text" && part !== "reasoning") || this.#nested.has(itemId)) return "";
    const { growing } = this.#options;
    let start = "";
    if (this.#streaming === undefined) {
      start = this.#open(part === "text" ? "text" : "line");
      this.#streaming = { itemId, index, text: growing?.(part) };
      if (part === "reasoning") start += this.#write("thinking: ", part);
    } else if (this.#streaming.itemId !== itemId) {
      return "";
    } else if (this.#streaming.index !== index) {
      start = this.#write("\n", part);
      this.#streaming.index = index;
    }
    return start + this.#write(printable(delta), part);
  }

  /** More of the text that is being written. */
  #write(text: string, part: "text" | "reasoning"): string {
    const growing = this.#streaming?.text;
    if (growing !== undefined) return growing.add(text).map(withEnd).join("");
    this.#isMidLine = !text.endsWith("\n");
    return part === "reasoning" ? this.#options.paint.dim(text) : text;
  }

  #complete(item: Item, time: string): string {
    if (this.#streaming?.itemId === item.itemId) {
      const end = this.#endText();
      this.#streaming = undefined;
      return item.status === "cancelled"
        ? end + this.#line(this.#options.paint.dim("(cut off)"))
        : end + this.#endLine();
    }
    const { paint, showsUser = false } = this.#options;
    const said = printable(item.content.map(partText).join("\n")).trim();
    const lead = item.parentId === undefined ? "" : "    ";
    switch (item.kind) {
      case "tool_call":
        return this.#endCall(item, lead);
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
        if (said === "" || this.#shown.has(said)) return "";
        if (item.kind === "plan") this.#shown.add(said);
        return this.#block(indented(this.#whole(said), lead));
    }
  }

  /** A text that came without deltas. */
  #whole(said: string): string {
    const text = this.#options.growing?.("text");
    return text === undefined ? said : [...text.add(said), ...text.end()].join("\n");
  }

  /** A call that was stopped has no result that would be told. */
  #endCall(item: Item, lead: string): string {
    const call = item.content.find(isCall);
    if (call === undefined) return "";
    this.#running.delete(call.callId);
    const isTold = item.status === "cancelled";
    this.#calls.set(call.callId, { call, itemId: item.itemId, isTold });
    if (!isTold) return "";
    return this.#line(
      lead + toolLine({ call, status: item.status, content: [] }, this.#options.paint, this.#look(lead)).trimEnd(),
    );
  }

  #endTool(item: Item, time: string, lead: string): string {
    const callId = item.content.find((part) => part.type === "tool_result")?.callId ?? "";
    const known = this.#calls.get(callId);
    this.#calls.delete(callId);
    this.#running.delete(callId);
    if (known?.isTold) return "";
    const worked = known === undefined ? [] : this.#times.of(known.itemId);
    const durationMs = worked.length === 0 ? undefined : workMs(worked, Date.parse(time));
    const end = { call: known?.call, status: item.status, content: item.content, durationMs };
    return this.#line(lead + toolLine(end, this.#options.paint, this.#look(lead)).trimEnd());
  }

  #look(lead: string): ToolLook {
    const { columns } = this.#options;
    const isShown = (diff: string) => this.#shown.has(changedLines(diff));
    return { columns: columns === undefined ? undefined : columns - lead.length, isShown };
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
    const end = this.#endText() + this.#endLine();
    const isChange = this.#last !== "nothing" && (this.#last !== kind || kind === "text");
    this.#last = kind;
    return isChange ? `${end}\n` : end;
  }

  #endLine(): string {
    const isMidLine = this.#isMidLine;
    this.#isMidLine = false;
    return isMidLine ? "\n" : "";
  }

  /** What is left of the text that is being written; it may go on below what comes between. */
  #endText(): string {
    return (this.#streaming?.text?.end() ?? []).map(withEnd).join("");
  }
}

/** By the end of the turn, and by the calls that edited. */
const toldElsewhere: ReadonlySet<string> = new Set(["interrupted", "turn_diff", "files_changed"]);

const messageEnds = {
  cancelled: "the message was cancelled before the agent had it",
  failed: "the message could not be given to the agent",
} as const;

function withEnd(line: string): string {
  return `${line}\n`;
}

function isCall(part: Part): part is ToolCall {
  return part.type === "tool_call";
}

function plainWord(text: string | undefined): string {
  return printable(text ?? "");
}

function indented(text: string, lead: string): string {
  return lead === "" ? text : lead + text.replaceAll("\n", `\n${lead}`);
}

function answersText({ status, answers }: Body<"question.resolved">["data"]): string {
  const said = answers?.map((answer) => answer.join(", ")).join("; ");
  return said === undefined ? status : said === "" ? "left unanswered" : `answered: ${printable(said)}`;
}
