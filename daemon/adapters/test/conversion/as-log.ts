import type { EventBody, Item, UniversalEvent } from "@muster/schema";
import { Conversion } from "../../src/converter/conversion.ts";
import type { Converter } from "../../src/converter/converter.ts";
import type { Signal } from "../../src/signals.ts";
import type { RecordedInput } from "../recorded-life.ts";

/**
 * A recorded life as the log of a session, for the invariants of the protocol: turns and requests are told where the
 * engine tells them, everything else is what the converter said. At the end the life is over.
 */
export function asLog<State, Native>(
  converter: Converter<State, Native>,
  inputs: readonly RecordedInput[],
  directory = "/workspace",
): UniversalEvent[] {
  const conversion = new Conversion(converter);
  const log = new Log();
  log.add({ type: "session.started", data: { agent: "x", permissionMode: "default", directory, resumed: false } });
  for (const input of inputs) {
    if ("command" in input && input.command.type === "message") log.message(input.command.messageId);
    if ("command" in input && input.command.type === "steer") log.queued(input.command.messageId);
    const resolved = "command" in input && "requestKey" in input.command ? input.command.requestKey : undefined;
    if (resolved !== undefined) log.resolve(resolved);
    const signals =
      "line" in input
        ? conversion.line(input.line, [])
        : "command" in input
          ? conversion.command(input.command, [])
          : conversion.exit(input.exit);
    for (const signal of signals) log.signal(signal);
  }
  log.end();
  return log.events;
}

class Log {
  readonly events: UniversalEvent[] = [];
  readonly #items = new Map<string, { item: Item; turnId: string | undefined; texts: string[] }>();
  readonly #requests = new Map<string, "question" | "permission">();
  readonly #steering = new Set<string>();
  #turns = 0;
  #turnId: string | undefined;

  add(body: EventBody, turnId = this.#turnId): void {
    const envelope = { sequence: this.events.length + 1, time: "2026-11-15T00:00:00.000Z", sessionId: "s" } as const;
    this.events.push({ ...envelope, source: "agent", turnId, ...body });
  }

  queued(messageId: string): void {
    this.add({ type: "message.updated", data: { messageId, status: "queued", message: "", digest: "" } });
    this.#steering.add(messageId);
  }

  message(messageId: string): void {
    this.add({ type: "message.updated", data: { messageId, status: "queued", message: "", digest: "" } });
    this.add({ type: "message.updated", data: { messageId, status: "given", turnId: `turn_${this.#turns + 1}` } });
    this.#begin("user", [messageId]);
  }

  resolve(requestKey: string): void {
    const kind = this.#requests.get(requestKey);
    this.#requests.delete(requestKey);
    if (kind === "question") {
      this.add({ type: "question.resolved", data: { questionId: requestKey, status: "cancelled" } });
    } else if (kind === "permission") {
      this.add({
        type: "permission.resolved",
        data: { permissionId: requestKey, decision: "cancelled", by: "daemon" },
      });
    }
  }

  signal(signal: Signal): void {
    switch (signal.type) {
      case "turn.began":
        return this.#begin("agent", []);
      case "turn.finished": {
        const { messageIds: _, ...data } = signal.data;
        return this.#finish(data.status, data.cause);
      }
      case "message.joined":
        this.#steering.delete(signal.data.messageId);
        return this.add({
          type: "message.updated",
          data: { messageId: signal.data.messageId, status: "joined", turnId: this.#turnId },
        });
      case "question.asked": {
        const { requestKey: questionId, ...data } = signal.data;
        this.#requests.set(questionId, "question");
        return this.add({ type: "question.requested", data: { questionId, ...data } });
      }
      case "permission.asked": {
        const { requestKey: permissionId, ...data } = signal.data;
        this.#requests.set(permissionId, "permission");
        return this.add({ type: "permission.requested", data: { permissionId, ...data } });
      }
      case "request.withdrawn":
        return this.resolve(signal.data.requestKey);
      case "item.started":
        this.#items.set(signal.data.item.itemId, { item: signal.data.item, turnId: this.#turnId, texts: [] });
        return this.add(signal);
      case "item.delta": {
        const open = this.#items.get(signal.data.itemId);
        const { index, part, delta } = signal.data;
        if (open && part !== "output") open.texts[index] = (open.texts[index] ?? "") + delta;
        return this.add(signal, open?.turnId);
      }
      case "item.completed": {
        const { turnId } = this.#items.get(signal.data.item.itemId) ?? {};
        this.#items.delete(signal.data.item.itemId);
        return this.add(signal, turnId);
      }
      case "plan.updated":
      case "usage.updated":
      case "error":
      case "agent.unparsed":
      case "session.updated":
        return this.add(signal);
      case "permission.decided": {
        const { requestKey: permissionId, decision, message, ...data } = signal.data;
        this.add({ type: "permission.requested", data: { permissionId, ...data } });
        return this.add({ type: "permission.resolved", data: { permissionId, decision, message, by: "agent" } });
      }
      case "retry.announced":
      case "agent.exited":
        return;
    }
  }

  end(): void {
    if (this.#turnId !== undefined) this.#finish("failed", "agent_exited");
    this.#close(() => true);
    this.add({ type: "session.ended", data: { reason: "error", terminatedBy: "agent" } });
  }

  #begin(origin: "user" | "agent", messageIds: string[]): void {
    this.#turnId = `turn_${++this.#turns}`;
    this.add({ type: "turn.started", data: { turnId: this.#turnId, messageIds, origin } });
  }

  #finish(status: "completed" | "interrupted" | "failed", cause: string | undefined): void {
    const turnId = this.#turnId ?? "none";
    for (const requestKey of [...this.#requests.keys()]) this.resolve(requestKey);
    this.#close(({ item, turnId: own }) => own === turnId && item.background !== true);
    for (const messageId of this.#steering) {
      this.add({ type: "message.updated", data: { messageId, status: "failed" } });
    }
    this.#steering.clear();
    const why = status === "completed" ? {} : { cause: (cause ?? "interrupted_by_user") as "agent_error" };
    this.add({ type: "turn.ended", data: { turnId, status, ...why, durationMs: 0 } });
    this.#turnId = undefined;
  }

  #close(which: (open: { item: Item; turnId: string | undefined }) => boolean): void {
    for (const [itemId, open] of [...this.#items]) {
      if (!which(open)) continue;
      this.#items.delete(itemId);
      const { item, turnId, texts } = open;
      const content: Item["content"] =
        item.kind === "message" ? texts.map((text) => ({ type: "text", text })) : item.content;
      this.add({ type: "item.completed", data: { item: { ...item, status: "cancelled", content } } }, turnId);
    }
  }
}
