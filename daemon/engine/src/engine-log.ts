/** One line of the daemon's own log; the server decides where it goes. */
export type EngineLog = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields?: Record<string, unknown>,
) => void;
