import { parseJson } from "@muster/core";
import type { Body, EventBody, Item, Part } from "@muster/schema";
import type { AnsweredElsewhere, Signal, TurnFinished } from "../signals.ts";
import { Conversion } from "./conversion.ts";
import type { Converter } from "./converter.ts";

interface OpenItem {
  item: Item;
  /** What deltas have told: by index, and the input of a call. */
  texts: string[];
  input: string;
}

/** Reads the lines of an agent that somebody else ran: the events a session of ours would have had. */
export class EventReader<State, Native> {
  readonly #conversion: Conversion<State, Native>;
  readonly #open = new Map<string, OpenItem>();
  readonly #requests = new Map<string, "question" | "permission">();
  #turns = 0;
  #turnId: string | undefined;

  #sessionIn: ((native: unknown) => string | undefined) | undefined;

  /** `sessionIn`: the agent's own name of the session, where a line has it. A life of ours knows it before. */
  constructor(converter: Converter<State, Native>, sessionIn?: (native: unknown) => string | undefined) {
    this.#conversion = new Conversion(converter);
    this.#sessionIn = sessionIn;
  }

  get state(): State {
    return this.#conversion.state;
  }

  /** Nothing in a line makes it throw. */
  line(line: string): EventBody[] {
    if (line.trim() === "") return [];
    return [...this.#nameSession(line), ...this.#conversion.line(line, []).flatMap((signal) => this.#events(signal))];
  }

  /** Told once: that it changes is the converter's to tell. */
  #nameSession(line: string): EventBody[] {
    const nativeSessionId = this.#sessionIn?.(parseJson(line));
    if (nativeSessionId === undefined) return [];
    this.#sessionIn = undefined;
    return [{ type: "session.updated", data: { nativeSessionId } }];
  }

  /** The lines have ended: so has whatever is still open. */
  end(): EventBody[] {
    if (this.#turnId === undefined) return [...this.#cancelAll(), ...this.#closeItems(() => true)];
    const ended = this.#endTurn({ status: "failed", cause: "agent_exited", message: "The lines end here" });
    return [...ended, ...this.#closeItems(() => true)];
  }

  #events(signal: Signal): EventBody[] {
    switch (signal.type) {
      case "item.started":
        this.#open.set(signal.data.item.itemId, { item: signal.data.item, texts: [], input: "" });
        return isLate(signal.data.item) ? [signal] : [...this.#turn(), signal];
      case "item.completed":
        this.#open.delete(signal.data.item.itemId);
        return [signal];
      case "turn.began":
        return this.#turn();
      case "turn.finished":
        return [...this.#turn(), ...this.#endTurn(signal.data)];
      case "question.asked": {
        const { requestKey: questionId, ...data } = signal.data;
        this.#requests.set(questionId, "question");
        return [{ type: "question.requested", data: { questionId, ...data } }];
      }
      case "permission.asked": {
        const { requestKey: permissionId, ...data } = signal.data;
        this.#requests.set(permissionId, "permission");
        return [{ type: "permission.requested", data: { permissionId, ...data } }];
      }
      case "permission.decided": {
        const { requestKey: permissionId, decision, message, ...data } = signal.data;
        return [
          { type: "permission.requested", data: { permissionId, ...data } },
          { type: "permission.resolved", data: { permissionId, decision, message, by: "agent" } },
        ];
      }
      case "request.withdrawn":
        return this.#withdraw(signal.data);
      case "message.joined":
        return [{ type: "message.updated", data: { ...signal.data, status: "joined", turnId: this.#turnId } }];
      case "item.delta":
        this.#grow(signal.data);
        return [signal];
      case "plan.updated":
      case "usage.updated":
      case "error":
      case "agent.unparsed":
      case "session.updated":
        return [signal];
      case "retry.announced":
      case "agent.exited":
        return [];
    }
  }

  /** An agent that was not driven by us began its turns without our knowing. */
  #turn(): EventBody[] {
    if (this.#turnId !== undefined) return [];
    this.#turnId = `turn_${++this.#turns}`;
    return [{ type: "turn.started", data: { turnId: this.#turnId, messageIds: [], origin: "agent" } }];
  }

  #endTurn({ messageIds: _, place: __, ...finished }: TurnFinished): EventBody[] {
    const turnId = this.#turnId ?? "";
    this.#turnId = undefined;
    const cause = finished.cause ?? (finished.status === "interrupted" ? "interrupted_by_user" : undefined);
    return [
      ...this.#cancelAll(),
      ...this.#closeItems(({ background }) => background !== true),
      { type: "turn.ended", data: { turnId, ...finished, cause, durationMs: 0 } },
    ];
  }

  /** Nobody of ours answered: somebody else did, or the agent gave up. */
  #withdraw({ requestKey, elsewhere }: { requestKey: string; elsewhere?: AnsweredElsewhere }): EventBody[] {
    if (elsewhere === undefined) return this.#cancel(requestKey);
    const kind = this.#requests.get(requestKey);
    this.#requests.delete(requestKey);
    if (kind === "question") return [{ type: "question.resolved", data: { questionId: requestKey, ...elsewhere } }];
    const decision = elsewhere.status === "answered" ? "allow" : "reject";
    return [{ type: "permission.resolved", data: { permissionId: requestKey, decision, by: "agent" } }];
  }

  #cancelAll(): EventBody[] {
    return [...this.#requests.keys()].flatMap((requestKey) => this.#cancel(requestKey));
  }

  #cancel(requestKey: string): EventBody[] {
    const kind = this.#requests.get(requestKey);
    this.#requests.delete(requestKey);
    if (kind === undefined) return [];
    if (kind === "question") {
      return [{ type: "question.resolved", data: { questionId: requestKey, status: "cancelled" } }];
    }
    return [{ type: "permission.resolved", data: { permissionId: requestKey, decision: "cancelled", by: "daemon" } }];
  }

  #closeItems(which: (item: Item) => boolean): EventBody[] {
    const left = [...this.#open.values()].filter(({ item }) => which(item));
    for (const { item } of left) this.#open.delete(item.itemId);
    return left.map((open) => ({ type: "item.completed", data: { item: cutOff(open) } }));
  }

  #grow({ itemId, index, part, delta }: Body<"item.delta">["data"]): void {
    const open = this.#open.get(itemId);
    if (open === undefined) return;
    if (part === "text" || part === "reasoning") open.texts[index] = (open.texts[index] ?? "") + delta;
    if (part === "input") open.input += delta;
  }
}

/** What comes after a turn and begins none: results, remarks, and the work of sub-agents. */
function isLate({ kind, parentId, background }: Item): boolean {
  return kind === "tool_result" || kind === "status" || parentId !== undefined || background === true;
}

/** An item as far as it was told. */
function cutOff({ item, texts, input }: OpenItem): Item {
  return { ...item, status: "cancelled", content: contentOf(item, texts, input) };
}

function contentOf({ kind, content }: Item, texts: readonly string[], input: string): Part[] {
  const [part] = content;
  if (part?.type === "tool_call" && input !== "") return [{ ...part, input: parseJson(input, part.input) }];
  if (texts.length === 0) return content;
  if (kind === "reasoning") return texts.map((text) => ({ type: "reasoning", text, visibility: "public" }));
  return texts.map((text) => ({ type: "text", text }));
}
