import { join } from "node:path";

/** Where a daemon of this machine keeps a copy of its log; the server writes it (`logFileName`). */
export function logFileOf(dataDirectory: string): string {
  return join(dataDirectory, "daemon.log");
}

/** What was written before the newest file was begun. */
export function olderLogFileOf(dataDirectory: string): string {
  return `${logFileOf(dataDirectory)}.1`;
}
