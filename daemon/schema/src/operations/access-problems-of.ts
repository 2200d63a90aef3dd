import type { ProblemCode } from "../problem.ts";
import type { Operation } from "./operation.ts";

/** How an operation is refused to whoever may not ask for it. */
export function accessProblemsOf({ scope, wholeDaemon, params, body }: Operation): ProblemCode[] {
  if (scope === "public") return [];
  const isLimited = wholeDaemon === true || "agent" in params.shape || "agent" in (body?.shape ?? {});
  return [
    "unauthorized",
    ...(scope === "read" ? [] : (["scope_required"] as const)),
    ...(isLimited ? (["token_limited"] as const) : []),
  ];
}
