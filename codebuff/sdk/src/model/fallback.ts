import type { FailureKind } from "../model-failure.ts";

export type RouteKind = "oauth" | "backend" | "own-key";

/**
 * What follows a failure: `retry` the same way after a pause · `refresh` the token and try once more · `next` way ·
 * `fail` with its message · `cut` end the stream, so that the runtime does the step anew.
 */
export type Reaction = "retry" | "refresh" | "next" | "fail" | "cut";

interface Situation {
  readonly route: RouteKind;
  readonly failure: FailureKind;
  readonly freeMode: boolean;
  /** Something was already shown: nothing may be begun anew on another way. */
  readonly hasContent: boolean;
  /** The token was already renewed for this request. */
  readonly isRefreshed: boolean;
}

const beforeContent: Readonly<Record<RouteKind, Readonly<Record<FailureKind, Reaction>>>> = {
  oauth: { rate_limit: "next", auth: "refresh", network: "next", server: "fail", cut: "fail", refused: "fail" },
  backend: { rate_limit: "retry", auth: "fail", network: "retry", server: "retry", cut: "retry", refused: "fail" },
  "own-key": { rate_limit: "retry", auth: "fail", network: "retry", server: "retry", cut: "retry", refused: "fail" },
};

export function reactionTo({ route, failure, freeMode, hasContent, isRefreshed }: Situation): Reaction {
  if (hasContent) return failure === "network" || failure === "cut" ? "cut" : "fail";
  const reaction = beforeContent[route][failure];
  if (reaction === "refresh" && isRefreshed) return freeMode ? "fail" : "next";
  // A subscription is all that free mode has: credits are never used in its place.
  if (reaction === "next" && freeMode) return "fail";
  return reaction;
}
