/** Somebody else holds what is needed, or the database is just not there: the same again may work in a moment. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === "ERR_SQLITE_ERROR") return sqliteBusy.has(Number(errcode) & 0xff);
  return sqliteBusyNames.test(String(code)) || busyCodes.has(String(code)) || isAway(error);
}

/** PostgreSQL is gone, going or coming: a connection that says so is of no use any more, and what it was asked may have been done. */
export function isAway(error: unknown): boolean {
  const { code, message = "" } = error as { code?: unknown; message?: string };
  return awayCodes.has(String(code)) || awayTexts.test(message);
}

/**
 * SQLite's own words for it, as Node says them (the bits above tell why) and as libsql does. PROTOCOL is what a process hears
 * that lost the race for the log of a file too often; what was read before somebody else wrote is a SNAPSHOT.
 */
const sqliteBusy = new Set([5, 15]);
const sqliteBusyNames = /^SQLITE_(?:BUSY|PROTOCOL)(?:_|$)/;

const busyCodes = new Set([
  "55P03", // lock_timeout
  "40P01", // deadlock
  "53300", // too many connections
]);

const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND", // the name of the one that takes over is not told yet
  "EAI_AGAIN",
  "08000", // connection exceptions
  "08003",
  "08006",
  "57P01", // the administrator ends connections
  "57P02", // another process of it crashed, or it ends at once
  "57P03", // starting or stopping
  "57P05", // idle for too long
  "25P03", // idle for too long in a transaction
  "25006", // only reads: it follows another one, and is not the one that took over
]);

/** What the client says by itself has no code. */
const awayTexts = /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout/;
