import type { Chunk, ModelRequest } from "@muster/codebuff-runtime";
import type { RouteKind } from "./fallback.ts";

/** One way to a model. */
export interface Route {
  readonly kind: RouteKind;
  /** What a person knows it by: "claude", "backend", "anthropic". */
  readonly name: string;
  /** The model's name on this way. */
  readonly model: string;
  /** Where it goes, for a person to look at; without what stands before an @ in it. */
  readonly address: string;
  /** One try. Yields content, ends after `finish`; throws what the provider throws, and ends without `finish` when cut. */
  attempt(request: ModelRequest, signal: AbortSignal): AsyncIterable<Chunk>;
  /** Gets a new token; false when there is none to be had. */
  refresh?(signal: AbortSignal): Promise<boolean>;
  /** Not to be tried again before this time. */
  block?(untilMs: number): void;
}
