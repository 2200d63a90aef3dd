import type { Body } from "@muster/schema";
import type { EventDraft } from "./event-log/index.ts";
import type { ModelCall, ModelCallEnd } from "./tracing.ts";

export type CountedFigure =
  | "events"
  | "messages"
  | "turnsStarted"
  | "turnsEnded"
  | "requests"
  | "unparsed"
  | "tokens"
  | "cost"
  | "modelCalls"
  | "modelTokens"
  | "modelCost";
export type MeasuredFigure =
  | "turnSeconds"
  | "firstTokenSeconds"
  | "installSeconds"
  | "modelSeconds"
  | "modelFirstByteSeconds"
  | "modelCallTokens"
  | "modelCallCost";

/** Takes the figures of the daemon; each has the labels that its name goes with here, and no others. */
export interface Meter {
  count(figure: CountedFigure, labels?: Readonly<Record<string, string>>, by?: number): void;
  measure(figure: MeasuredFigure, labels: Readonly<Record<string, string>>, value: number): void;
}

/** What happens in one session, as figures of the daemon. */
export class Counters {
  readonly #meter: Meter | undefined;
  readonly #agent: string;
  /** When the open turn began, until its agent has said something. */
  #awaitedSinceMs: number | undefined;

  constructor(meter: Meter | undefined, agent: string) {
    this.#meter = meter;
    this.#agent = agent;
  }

  count(drafts: readonly EventDraft[]): void {
    const meter = this.#meter;
    if (meter === undefined) return;
    meter.count("events", undefined, drafts.length);
    const agent = this.#agent;
    for (const { body, source } of drafts) {
      switch (body.type) {
        case "item.delta":
        case "item.started":
          if (this.#awaitedSinceMs !== undefined && source === "agent") this.#measureFirst(meter, this.#awaitedSinceMs);
          break;
        case "turn.started":
          meter.count("turnsStarted", { agent });
          this.#awaitedSinceMs = performance.now();
          break;
        case "turn.ended":
          this.#awaitedSinceMs = undefined;
          this.#countTurn(meter, body.data);
          break;
        case "message.updated":
          if (body.data.status === "queued") meter.count("messages", { agent });
          break;
        case "question.requested":
          meter.count("requests", { agent, kind: "question" });
          break;
        case "permission.requested":
          meter.count("requests", { agent, kind: "permission" });
          break;
        case "agent.unparsed":
          meter.count("unparsed", { agent });
          break;
      }
    }
  }

  /** Returns what is to be told of its end. */
  startModelCall({ model }: ModelCall): (end: ModelCallEnd) => void {
    const meter = this.#meter;
    const agent = this.#agent;
    const startedMs = performance.now();
    return ({ status, firstByteMs, usage, costUsd }) => {
      if (meter === undefined) return;
      const labels = { agent, model };
      meter.count("modelCalls", { ...labels, status });
      meter.measure("modelSeconds", labels, (performance.now() - startedMs) / 1_000);
      if (firstByteMs !== undefined) meter.measure("modelFirstByteSeconds", labels, firstByteMs / 1_000);
      for (const [type, count] of tokensOf(usage)) {
        meter.count("modelTokens", { ...labels, type }, count);
        meter.measure("modelCallTokens", { ...labels, type }, count);
      }
      if (costUsd) meter.count("modelCost", labels, costUsd);
      if (costUsd !== undefined) meter.measure("modelCallCost", labels, costUsd);
    };
  }

  #measureFirst(meter: Meter, sinceMs: number): void {
    this.#awaitedSinceMs = undefined;
    meter.measure("firstTokenSeconds", { agent: this.#agent }, (performance.now() - sinceMs) / 1_000);
  }

  #countTurn(meter: Meter, { status, durationMs, usage, costUsd }: Body<"turn.ended">["data"]): void {
    const agent = this.#agent;
    meter.count("turnsEnded", { agent, status });
    meter.measure("turnSeconds", { agent, status }, durationMs / 1_000);
    for (const [type, count] of tokensOf(usage)) meter.count("tokens", { agent, type }, count);
    if (costUsd) meter.count("cost", { agent }, costUsd);
  }
}

function tokensOf(usage: ModelCallEnd["usage"]): [type: string, count: number][] {
  if (usage === undefined) return [];
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
  const counts: [string, number][] = [
    ["input", inputTokens],
    ["output", outputTokens],
    ["cached_input", cachedInputTokens],
    ["reasoning", reasoningTokens],
  ];
  return counts.filter(([, count]) => count > 0);
}
