/** One line of a server's own log; the server decides where it goes. */
export type RequestLog = (level: "warn" | "error", message: string, fields?: Record<string, unknown>) => void;
