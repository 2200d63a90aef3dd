import type { AlwaysScope } from "@muster/schema";

/** Whether earlier `always` answers cover everything a new permission asks for. Exact matches only. */
export function isGranted(rules: readonly AlwaysScope[], asked: readonly AlwaysScope[]): boolean {
  return asked.length > 0 && asked.every((scope) => rules.some((rule) => isSame(rule, scope)));
}

function isSame(left: AlwaysScope, right: AlwaysScope): boolean {
  return left.action === right.action && left.pattern === right.pattern;
}
