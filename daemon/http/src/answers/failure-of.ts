import { randomUUID } from "node:crypto";
import { Failure } from "@muster/schema/wire";
import type { RequestLog } from "./request-log.ts";

/** What a caller is told of an error. What is not a Failure is our fault: logged with an id, told without its text. */
export function failureOf(error: unknown, log: RequestLog): Failure {
  if (error instanceof Failure) return error;
  if (isOutOfDescriptors(error)) {
    log("warn", "no descriptor was free", { error: String(error) });
    return new Failure("too_many_sessions", "Every file this process may open is in use; see ulimit -n");
  }
  const errorId = randomUUID();
  log("error", "a request failed", {
    errorId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new Failure("internal", `Look for ${errorId} in the daemon's log`, { errorId });
}

function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}
