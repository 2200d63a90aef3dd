import { readdirSync, readFileSync } from "node:fs";
import type { MetricRow, Reading } from "./metric-set.ts";

/** This process under the names that every Prometheus client gives them. */
export const processRows = {
  cpu: {
    type: "counter",
    name: "process_cpu_seconds_total",
    help: "Total user and system CPU time spent in seconds",
    otel: { name: "process.cpu.time", unit: "s" },
  },
  resident: {
    type: "gauge",
    name: "process_resident_memory_bytes",
    help: "Resident memory size in bytes",
    otel: { name: "process.memory.usage", unit: "By" },
  },
  virtual: {
    type: "gauge",
    name: "process_virtual_memory_bytes",
    help: "Virtual memory size in bytes",
    otel: { name: "process.memory.virtual", unit: "By" },
  },
  openFiles: {
    type: "gauge",
    name: "process_open_fds",
    help: "Number of open file descriptors",
    otel: { name: "process.unix.file_descriptor.count", unit: "{file_descriptor}" },
  },
  mostFiles: {
    type: "gauge",
    name: "process_max_fds",
    help: "Maximum number of open file descriptors",
    otel: { name: "process.unix.file_descriptor.limit", unit: "{file_descriptor}" },
  },
  startTime: {
    type: "gauge",
    name: "process_start_time_seconds",
    help: "Start time of the process since unix epoch in seconds",
    otel: { name: "process.start_time", unit: "s" },
  },
} as const satisfies Record<string, MetricRow>;

/** What can be read of this process where it runs; the rest is left out, as the convention has it. */
export function processReadings(): Reading[] {
  const { user, system } = process.cpuUsage();
  const values: Record<keyof typeof processRows, number | undefined> = {
    cpu: (user + system) / 1e6,
    resident: process.memoryUsage.rss(),
    virtual: ofProc(() => Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1_024),
    // The descriptor that lists them is one of them.
    openFiles: ofProc(() => readdirSync("/proc/self/fd").length - 1),
    mostFiles: ofProc(() => Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1])),
    startTime: Math.round(performance.timeOrigin) / 1_000,
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || !Number.isFinite(value)
      ? []
      : [{ row: processRows[name as keyof typeof processRows], points: [{ labels: {}, value }] }],
  );
}

function ofProc(read: () => number): number | undefined {
  try {
    return read();
  } catch {
    // There is no /proc, or no descriptor left to read it with: the figure is left out.
    return undefined;
  }
}
