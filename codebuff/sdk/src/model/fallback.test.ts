import { expect, it } from "vitest";
import type { FailureKind } from "../model-failure.ts";
import { type Reaction, type RouteKind, reactionTo } from "./fallback.ts";

/** route, failure → before content, before content in free mode, after content (the same in free mode). */
const matrix: readonly [RouteKind, FailureKind, Reaction, Reaction, Reaction][] = [
  ["oauth", "rate_limit", "next", "fail", "fail"],
  ["oauth", "auth", "refresh", "refresh", "fail"],
  ["oauth", "network", "next", "fail", "cut"],
  ["oauth", "server", "fail", "fail", "fail"],
  ["oauth", "cut", "fail", "fail", "cut"],
  ["oauth", "refused", "fail", "fail", "fail"],
  ["backend", "rate_limit", "retry", "retry", "fail"],
  ["backend", "auth", "fail", "fail", "fail"],
  ["backend", "network", "retry", "retry", "cut"],
  ["backend", "server", "retry", "retry", "fail"],
  ["backend", "cut", "retry", "retry", "cut"],
  ["backend", "refused", "fail", "fail", "fail"],
  ["own-key", "rate_limit", "retry", "retry", "fail"],
  ["own-key", "auth", "fail", "fail", "fail"],
  ["own-key", "network", "retry", "retry", "cut"],
  ["own-key", "server", "retry", "retry", "fail"],
  ["own-key", "cut", "retry", "retry", "cut"],
  ["own-key", "refused", "fail", "fail", "fail"],
];

it.each(matrix)("%s, %s: %s, in free mode %s, after content %s", (route, failure, normal, free, shown) => {
  const ask = (freeMode: boolean, hasContent: boolean) =>
    reactionTo({ route, failure, freeMode, hasContent, isRefreshed: false });
  expect([ask(false, false), ask(true, false), ask(false, true), ask(true, true)]).toEqual([
    normal,
    free,
    shown,
    shown,
  ]);
});

it("a token is renewed once; then the next way, or in free mode a failure", () => {
  const after = (freeMode: boolean) =>
    reactionTo({ route: "oauth", failure: "auth", freeMode, hasContent: false, isRefreshed: true });
  expect([after(false), after(true)]).toEqual(["next", "fail"]);
});
