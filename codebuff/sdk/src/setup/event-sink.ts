import type { PrintModeEvent, RuntimeAction } from "@muster/codebuff-protocol";
import type { CodebuffClientOptions, Logger } from "./options.ts";

/** Hands events and chunks to the callbacks of the embedding program. What a callback throws never ends a run. */
export class EventSink {
  readonly #handleEvent: CodebuffClientOptions["handleEvent"];
  readonly #handleStreamChunk: CodebuffClientOptions["handleStreamChunk"];
  readonly #logger: Logger | undefined;
  #held: PrintModeEvent[] = [];
  #hasStarted = false;
  #beforeFinish: (() => void) | undefined;

  constructor({ handleEvent, handleStreamChunk, logger }: CodebuffClientOptions) {
    this.#handleEvent = handleEvent;
    this.#handleStreamChunk = handleStreamChunk;
    this.#logger = logger;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Called once, when everything but the last event of the run has been told. */
  beforeFinish(callback: () => void): void {
    this.#beforeFinish = callback;
  }

  event(event: PrintModeEvent): void {
    if (event.type === "finish") this.#finish();
    const callback = this.#handleEvent;
    this.#call(callback === undefined ? undefined : () => callback(event));
    if (event.type === "reasoning_delta") {
      const { runId, ancestorRunIds, text } = event;
      this.#chunk({ type: "reasoning_chunk", agentId: runId, ancestorRunIds, chunk: text });
    }
    if (event.type !== "start" || this.#hasStarted) return;
    this.#hasStarted = true;
    const held = this.#held;
    this.#held = [];
    for (const one of held) this.event(one);
  }

  /** Something to know about the run; it comes after `start`, because that is the first event of every run. */
  warn(message: string, code = "warning"): void {
    this.#logger?.warn({ code }, message);
    const event: PrintModeEvent = { type: "error", message, code, fatal: false };
    if (this.#hasStarted) this.event(event);
    else this.#held.push(event);
  }

  responseChunk({ chunk }: Extract<RuntimeAction, { type: "response-chunk" }>): void {
    if (typeof chunk === "string") this.#chunk(chunk);
    else this.event(chunk);
  }

  subagentResponseChunk({
    agentId,
    agentType,
    chunk,
  }: Extract<RuntimeAction, { type: "subagent-response-chunk" }>): void {
    this.#chunk({ type: "subagent_chunk", agentId, agentType, chunk });
  }

  #finish(): void {
    const callback = this.#beforeFinish;
    this.#beforeFinish = undefined;
    callback?.();
  }

  #chunk(chunk: Parameters<NonNullable<CodebuffClientOptions["handleStreamChunk"]>>[0]): void {
    const callback = this.#handleStreamChunk;
    this.#call(callback === undefined ? undefined : () => callback(chunk));
  }

  #call(callback: (() => void | Promise<void>) | undefined): void {
    if (callback === undefined) return;
    const report = (error: unknown) => this.#logger?.error({ error: String(error) }, "A callback failed");
    try {
      Promise.resolve(callback()).catch(report);
    } catch (error) {
      report(error);
    }
  }
}
