import type { IncomingMessage } from "node:http";
import { type CallLife, type Happening, heldCall, type Stop, step } from "./call-life.ts";
import { callUpstream, Unreached, type Upstream, type UpstreamRequest } from "./upstream.ts";

/** A request to a provider, with its life and the time that a provider has once nobody waits any more. */
export class CallUnderWay {
  readonly #upstream: Upstream;
  #life = step(heldCall, "sent");
  #head: IncomingMessage | undefined;
  #failure: Error | undefined;
  #lastWords: NodeJS.Timeout | undefined;

  constructor(request: UpstreamRequest) {
    this.#upstream = callUpstream(request);
  }

  get life(): CallLife {
    return this.#life;
  }

  /** Why there is no head. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** The provider has heard nothing: another one may be asked. */
  get isUnreached(): boolean {
    return this.#failure instanceof Unreached;
  }

  note(happening: Happening): void {
    this.#life = step(this.#life, happening);
  }

  /** The head of the answer, which may be a refusal; undefined when there is none. */
  async head(): Promise<IncomingMessage | undefined> {
    this.#head = await this.#upstream.response.catch((error: Error) => {
      this.#failure = error;
      return undefined;
    });
    if (this.#head) this.note((this.#head.statusCode ?? 500) < 300 ? "answered" : "refused");
    return this.#head;
  }

  /** The client is gone: the provider has this long to say what was used. */
  leave(lastWordsMs: number): void {
    this.note("left");
    this.#lastWords ??= setTimeout(() => this.stop("given up"), lastWordsMs);
  }

  stop(why: Stop): void {
    this.note(why);
    this.#upstream.destroy();
  }

  /** Nothing more is expected. A connection that ends now is used again; a provider that goes on after its end is left. */
  end(withinMs: number): void {
    clearTimeout(this.#lastWords);
    if (!this.#head || this.#head.closed) return;
    const timer = setTimeout(() => this.#upstream.destroy(), withinMs);
    timer.unref();
    this.#head.once("close", () => clearTimeout(timer)).resume();
  }
}
