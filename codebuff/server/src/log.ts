import { redactShapes } from "@muster/core";
import type { Config } from "./config.ts";

const levels = ["debug", "info", "warn", "error", "silent"] as const;

export type Log = (level: "debug" | "info" | "warn" | "error", message: string, fields?: object) => void;

/** One JSON object per line on standard error, secrets replaced. */
export function createLog(least: Config["logLevel"], write = (line: string) => void process.stderr.write(line)): Log {
  const from = levels.indexOf(least);
  return (level, message, fields = {}) => {
    if (levels.indexOf(level) < from) return;
    write(`${redactShapes(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }))}\n`);
  };
}

/** What an error says to a log. */
export function errorFields(error: unknown): object {
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
}
