import type { AgentOutput, Signal } from "@muster/adapters";
import type { RawLog } from "../event-log/index.ts";
import type { SessionContext } from "./context.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Life } from "./life.ts";

/** Unwritten bytes above which the agent is not read until the disk has caught up. More would only age in memory: 4 MiB cost a quarter of a burst in garbage collection. */
const backlogLimit = 512 * 1024;
/** A read with more lines than this is a burst; its deltas are not worth a second copy on disk. */
const rawBurst = 64;

/** Takes what an agent says and brings each signal to the part of the session it concerns. */
export class Reception {
  readonly #session: SessionContext;
  readonly #raw: RawLog | undefined;
  readonly #deliveries: () => Deliveries;

  constructor(session: SessionContext, raw: RawLog | undefined, deliveries: () => Deliveries) {
    this.#session = session;
    this.#raw = raw;
    this.#deliveries = deliveries;
  }

  /** One read of an agent becomes one append. A promise means: do not read on before it is settled. */
  take(outputs: readonly AgentOutput[], life: Life): Promise<void> | undefined {
    const { journal, turns, settings } = this.#session;
    turns.touch();
    const keepsDeltas = outputs.length <= rawBurst;
    for (const { raw, bodies } of outputs) {
      const first = journal.state.sequence + 1;
      for (const signal of bodies) this.#receive(signal, life);
      if (raw === undefined || !this.#raw || journal.state.sequence < first) continue;
      if (keepsDeltas || bodies[0]?.type !== "item.delta") this.#raw.append(first, settings.redactor.text(raw));
    }
    const appended = journal.flush();
    return journal.log.backlogBytes > backlogLimit ? appended?.written : undefined;
  }

  #receive(signal: Signal, life: Life): void {
    const { journal, items, requests, turns, settings } = this.#session;
    switch (signal.type) {
      case "item.delta":
        return items.delta(signal);
      case "item.started":
        return items.started(settings.redactor.body(signal));
      case "item.completed":
        requests.cancelOf(signal.data.item.itemId);
        return items.completed(settings.redactor.body(signal));
      case "plan.updated":
        return journal.emit("agent", signal);
      case "usage.updated":
        journal.emit("agent", signal);
        return this.#deliveries().checkBudget();
      case "session.updated":
        return journal.emit("agent", signal, null);
      case "error":
      case "agent.unparsed":
        return journal.emit("agent", settings.redactor.body(signal));
      case "turn.began":
        if (!journal.state.turn) turns.begin("agent", []);
        return;
      case "turn.finished":
        return turns.finished(settings.redactor.message(signal.data));
      case "message.echoed":
        // The user item is in the log since before the agent had the message; there is nothing left to tell.
        return;
      case "message.joined":
        return this.#deliveries().joined(signal.data.messageId);
      case "question.asked":
        return requests.askQuestion(signal.data);
      case "permission.asked":
        return requests.askPermission(signal.data);
      case "permission.decided":
        return requests.permissionDecided(signal.data);
      case "request.withdrawn":
        return requests.withdrawn(signal.data.requestKey);
      case "retry.announced":
        return turns.waitUntil(signal.data.untilMs);
      case "agent.exited":
        life.exited = signal.data;
        return;
    }
  }
}
