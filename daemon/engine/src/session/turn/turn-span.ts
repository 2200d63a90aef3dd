import type { Body } from "@muster/schema";
import type { Fold } from "../../fold.ts";
import type { TracedResult, TurnTracer } from "../../tracing.ts";

/** The open turn as a span of the tracer, where there is one. */
export class TurnSpan {
  readonly #tracer: TurnTracer | undefined;
  readonly #session: { sessionId: string; agent: string };
  #end: ((result: TracedResult) => void) | undefined;

  constructor(tracer: TurnTracer | undefined, session: { sessionId: string; agent: string }) {
    this.#tracer = tracer;
    this.#session = session;
  }

  start({ turnId, origin }: Body<"turn.started">["data"], { settings }: Fold): void {
    this.#end = this.#tracer?.start({ ...this.#session, model: settings.model, turnId, origin });
  }

  end(result: TracedResult): void {
    this.#end?.(result);
    this.#end = undefined;
  }
}
