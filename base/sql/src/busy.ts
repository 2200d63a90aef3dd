/** Somebody else holds what is needed, or the database is just not there: the same again may work in a moment. */
export function isBusy(error: unknown): boolean {
  const { code, errcode, message = "" } = error as { code?: unknown; errcode?: unknown; message?: string };
  if (code === "ERR_SQLITE_ERROR") return (Number(errcode) & 0xff) === sqliteBusy;
  return busyCodes.has(String(code)) || /timeout exceeded when trying to connect|Connection terminated/.test(message);
}

/** As Node's own SQLite says it; the bits above tell why. */
const sqliteBusy = 5;

const busyCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_BUSY_RECOVERY",
  "ECONNREFUSED",
  "ECONNRESET",
  "55P03", // lock_timeout
  "40P01", // deadlock
  "57P01", // the administrator ends connections
  "57P03", // starting or stopping
  "53300", // too many connections
]);
