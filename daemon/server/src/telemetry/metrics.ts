import type { Engine } from "@muster/engine";
import { MetricSet, processReadings, prometheusText, type Reading } from "@muster/telemetry";
import { version } from "../version.ts";
import { type Figure, figures } from "./figures.ts";

/** The figures of a daemon: counted as things happen, and what is so at this moment. */
export class Metrics extends MetricSet<Figure> {
  #now: { sessions: Engine["sessions"]; openStreams(): number } | undefined;

  constructor() {
    super(figures);
    this.set("build", { version, runtime: `node ${process.versions.node}` }, 1);
  }

  /** From when there is something to look at. */
  observe(sessions: Engine["sessions"], openStreams: () => number): void {
    this.#now = { sessions, openStreams };
  }

  text(): string {
    return prometheusText(this.readAll());
  }

  readAll(): Reading[] {
    const now = this.#now === undefined ? [] : [sessionsOf(this.#now.sessions), streamsOf(this.#now.openStreams())];
    return [...this.read(), ...now, ...processReadings()];
  }
}

/** Counted anew each time: a state that nobody is in any more must not stay. */
function sessionsOf(sessions: Engine["sessions"]): Reading {
  const seen = new MetricSet({ sessions: figures.sessions });
  for (const session of sessions.loaded) {
    const { agent, state } = session.view();
    seen.count("sessions", { agent, state });
  }
  return { row: figures.sessions, points: seen.read().flatMap(({ points }) => points) };
}

function streamsOf(value: number): Reading {
  return { row: figures.streams, points: [{ labels: {}, value }] };
}
