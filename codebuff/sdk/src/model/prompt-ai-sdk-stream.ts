import type { Chunk, Clock, ModelRequest } from "@muster/codebuff-runtime";
import { asModelFailure, ModelFailure } from "../model-failure.ts";
import { type Reaction, reactionTo } from "./fallback.ts";
import type { Route } from "./route.ts";

/** Pauses before the second, third and fourth try, unless the service says how long. */
export const MAX_RETRIES_PER_MESSAGE = 3;
export const RETRY_BACKOFF_BASE_DELAY_MS = 1_000;
export const RETRY_BACKOFF_MAX_DELAY_MS = 8_000;
const retryPausesMs = Array.from({ length: MAX_RETRIES_PER_MESSAGE }, (_, n) =>
  Math.min(RETRY_BACKOFF_BASE_DELAY_MS * 2 ** (n + 1), RETRY_BACKOFF_MAX_DELAY_MS),
);
const longestPauseMs = 60_000;
/** How long a way rests after a rate limit without a reset time. */
const blockMs = 5 * 60_000;

export interface StreamOptions {
  /** In the order of preference; never empty. */
  readonly routes: readonly Route[];
  readonly freeMode: boolean;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Takes secrets out of what a service said. */
  readonly redact: (text: string) => string;
}

/**
 * Streams one answer. Tries again and changes the way only before the first content; after it a broken connection ends
 * the stream without `finish`, and any other failure is its last chunk. Throws only at the abort.
 */
export async function* promptAiSdkStream(
  request: ModelRequest,
  options: StreamOptions,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const { routes, freeMode, clock, redact } = options;
  for (const [index, route] of routes.entries()) {
    let isRefreshed = false;
    let tries = 0;
    for (;;) {
      let hasContent = false;
      let failure: ModelFailure;
      try {
        for await (const chunk of route.attempt(request, signal)) {
          hasContent ||= chunk.type !== "finish" && chunk.type !== "spent";
          yield chunk;
          if (chunk.type === "finish") return;
        }
        failure = new ModelFailure("cut", "The answer broke off");
      } catch (error) {
        signal.throwIfAborted();
        failure = asModelFailure(error, clock.now());
      }
      let reaction: Reaction = reactionTo({
        route: route.kind,
        failure: failure.kind,
        freeMode,
        hasContent,
        isRefreshed,
      });
      if (reaction === "refresh") {
        isRefreshed = true;
        reaction = (await route.refresh?.(signal)) ? "retry" : freeMode ? "fail" : "next";
        if (reaction === "retry") continue;
      }
      if (reaction === "cut") return;
      if (reaction === "next" && failure.kind === "rate_limit")
        route.block?.(failure.resetAtMs ?? clock.now() + blockMs);
      if (reaction === "next" && index < routes.length - 1) break;
      const pause = reaction === "retry" ? pauseFor(failure, tries++, clock.now()) : undefined;
      if (pause === undefined) {
        yield errorChunk(failure, route, { freeMode, redact, tries });
        return;
      }
      const attempt = `attempt ${tries} of ${MAX_RETRIES_PER_MESSAGE + 1}, again in ${Math.ceil(pause / 1000)} s`;
      const message = `${redact(failure.message)} (${route.address}, ${attempt})`;
      yield { type: "retrying", untilMs: clock.now() + pause, message };
      await clock.sleep(pause, signal);
    }
  }
}

/** Undefined when there are no tries left, or the service wants a longer pause than anyone would wait. */
function pauseFor(failure: ModelFailure, tries: number, nowMs: number): number | undefined {
  const pause = retryPausesMs[tries];
  if (pause === undefined) return undefined;
  if (failure.resetAtMs === undefined) return pause;
  const asked = Math.max(0, failure.resetAtMs - nowMs);
  return asked <= longestPauseMs ? asked : undefined;
}

function errorChunk(
  failure: ModelFailure,
  route: Route,
  { freeMode, redact, tries }: Pick<StreamOptions, "freeMode" | "redact"> & { tries: number },
): Chunk {
  const hint =
    route.kind !== "oauth"
      ? ""
      : failure.kind === "auth"
        ? ` (${route.name}: connect again)`
        : failure.kind === "rate_limit" && freeMode
          ? ` (${route.name}: the subscription's limit is reached, and free mode does not use credits)`
          : "";
  const { code, statusCode } = failure;
  const attempts = tries > 1 ? `, ${tries} attempts` : "";
  // What the service itself refused needs no address to be understood.
  const where = tries > 1 || failure.kind === "network" ? ` (${route.address}${attempts})` : "";
  return { type: "error", code: code ?? failure.kind, message: redact(failure.message) + where + hint, statusCode };
}
