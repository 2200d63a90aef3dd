import type { Engine } from "@muster/engine";

/** Counters and gauges as Prometheus text. */
export function metricsText(engine: Engine, openStreams: number): string {
  const { counters } = engine;
  const sessions = [...engine.sessions.loaded].map((session) => session.view());
  const byState = countBy(sessions.map(({ state }) => state));
  const lines = [
    metric("counter", "muster_events_total", "Events appended", counters.events),
    metric("counter", "muster_messages_total", "Messages accepted", counters.messages),
    metric("counter", "muster_turns_started_total", "Turns started", counters.turnsStarted),
    labelledMetric("counter", "muster_turns_ended_total", "Turns ended", "status", counters.turnsEnded),
    metric("counter", "muster_requests_total", "Questions and permissions asked", counters.requests),
    metric("counter", "muster_unparsed_total", "Lines of agents that could not be parsed", counters.unparsed),
    labelledMetric("gauge", "muster_sessions", "Sessions in memory", "state", byState),
    metric("gauge", "muster_streams", "Open event streams", openStreams),
    metric("gauge", "muster_resident_memory_bytes", "Resident memory of the daemon", process.memoryUsage.rss()),
    metric("gauge", "muster_uptime_seconds", "Seconds since the start", process.uptime()),
  ];
  return `${lines.join("\n")}\n`;
}

function metric(type: "counter" | "gauge", name: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}`;
}

function labelledMetric(
  type: "counter" | "gauge",
  name: string,
  help: string,
  label: string,
  values: Record<string, number>,
): string {
  const lines = Object.entries(values).map(([value, count]) => `${name}{${label}="${value}"} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
