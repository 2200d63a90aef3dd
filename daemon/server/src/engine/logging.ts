import type { EngineLog, Redactor } from "@muster/engine";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One JSON object per line on standard error, known secrets replaced. */
export function createLog(
  least: LogLevel,
  redactor: Redactor,
  write = (line: string) => void process.stderr.write(line),
): EngineLog {
  const from = logLevels.indexOf(least);
  return (level, message, fields = {}) => {
    if (logLevels.indexOf(level) < from) return;
    write(`${redactor.text(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }))}\n`);
  };
}
