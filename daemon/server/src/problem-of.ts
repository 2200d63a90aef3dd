import { randomUUID } from "node:crypto";
import type { EngineLog } from "@muster/engine";
import { Failure, type Problem } from "@muster/schema";

/** The one place that knows how a failure looks in HTTP. What is not a Failure is our fault: logged with an id, told without its text. */
export function problemOf(error: unknown, log: EngineLog): Problem {
  if (error instanceof Failure) return error.toProblem();
  if (isOutOfDescriptors(error)) {
    log("warn", "no descriptor was free", { error: String(error) });
    return new Failure("too_many_sessions", "Every file this process may open is in use; see ulimit -n").toProblem();
  }
  const errorId = randomUUID();
  log("error", "a request failed", {
    errorId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new Failure("internal", `Look for ${errorId} in the daemon's log`, { errorId }).toProblem();
}

function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}
