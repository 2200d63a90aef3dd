import type { AgentOutput, Signal } from "@muster/adapters";
import type { Usage } from "@muster/schema";
import type { RawLog } from "../../event-log/index.ts";
import type { AgentLife } from "../state/agent-life.ts";
import type { Journal } from "../state/journal.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import type { Messages } from "../turn/messages.ts";
import type { OpenItems } from "../turn/open-items.ts";
import { plainMessage } from "../turn/plain-message.ts";
import type { Requests } from "../turn/requests.ts";
import type { TurnClock } from "../turn/turn-clock.ts";
import type { Turns } from "../turn/turns.ts";
import { plausibleUsage } from "./plausible-usage.ts";

export interface SignalReceptionParts {
  journal: Journal;
  raw: Pick<RawLog, "append"> | undefined;
  settings: Pick<SessionSettings, "redactor">;
  items: Pick<OpenItems, "start" | "addDelta" | "complete">;
  requests: Pick<Requests, "askQuestion" | "askPermission" | "addDecided" | "withdraw" | "cancelForItem">;
  turns: Pick<Turns, "begin" | "finish">;
  messages: Pick<Messages, "join">;
  clock: Pick<TurnClock, "touch" | "waitUntil">;
}

/** Unwritten bytes above which the agent is not read until the disk has caught up. More would only age in memory: 4 MiB cost a quarter of a burst in garbage collection. */
const backlogLimit = 512 * 1024;
/** A read with more lines than this is a burst; its deltas are not worth a second copy on disk. */
const rawBurst = 64;

/** Takes what an agent says and brings each signal to the part of the session it concerns. */
export class SignalReception {
  readonly #parts: SignalReceptionParts;

  constructor(parts: SignalReceptionParts) {
    this.#parts = parts;
  }

  /** One read of an agent becomes one append. A promise means: do not read on before it is settled. */
  take(outputs: readonly AgentOutput[], life: AgentLife): Promise<void> | undefined {
    const { journal, clock, settings, raw: rawLog } = this.#parts;
    if (outputs.some(isSignOfLife)) clock.touch();
    const keepsDeltas = outputs.length <= rawBurst;
    for (const { raw, bodies } of outputs) {
      const first = journal.state.sequence + 1;
      for (const signal of bodies) this.#receive(signal, life);
      if (raw === undefined || !rawLog || journal.state.sequence < first) continue;
      if (keepsDeltas || bodies[0]?.type !== "item.delta") rawLog.append(first, settings.redactor.text(raw));
    }
    const appended = journal.flush();
    return journal.log.backlogBytes > backlogLimit ? appended?.written : undefined;
  }

  #receive(signal: Signal, life: AgentLife): void {
    const { journal, items, requests, turns, messages, clock, settings } = this.#parts;
    switch (signal.type) {
      case "item.delta":
        return items.addDelta(signal);
      case "item.started":
        return items.start(settings.redactor.body(signal));
      case "item.completed":
        requests.cancelForItem(signal.data.item.itemId);
        return items.complete(settings.redactor.body(signal));
      case "plan.updated":
        return journal.emit("agent", signal);
      case "usage.updated":
        return journal.emit("agent", { ...signal, data: plausibleUsage(signal.data) });
      case "session.updated":
        return journal.emit("agent", signal, null);
      case "error": {
        const message = plainMessage(signal.data.message, signal.data.code);
        return journal.emit("agent", settings.redactor.body({ ...signal, data: { ...signal.data, message } }));
      }
      case "agent.unparsed":
        return journal.emit("agent", settings.redactor.body(signal));
      case "turn.began":
        if (!journal.state.turn) turns.begin("agent", []);
        return;
      case "turn.finished":
        return turns.finish(plausibleEnd(settings.redactor.message(signal.data)));
      case "message.joined":
        return messages.join(signal.data.messageId);
      case "question.asked":
        return requests.askQuestion(signal.data);
      case "permission.asked":
        return requests.askPermission(signal.data);
      case "permission.decided":
        return requests.addDecided(signal.data);
      case "request.withdrawn":
        return requests.withdraw(signal.data.requestKey);
      case "retry.announced":
        return clock.waitUntil(signal.data.untilMs ?? 0);
      case "agent.exited":
        life.exited = signal.data;
        return;
    }
  }
}

/** An agent that only says that it asks its model again has heard nothing from it. */
function isSignOfLife({ bodies }: AgentOutput): boolean {
  return !bodies.some(({ type }) => type === "retry.announced");
}

function plausibleEnd<T extends { usage?: Usage; costUsd?: number }>(finished: T): T {
  return { ...plausibleUsage(finished), usage: finished.usage && plausibleUsage(finished.usage) };
}
