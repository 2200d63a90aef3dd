import type { LinesWriter } from "@muster/adapters/converters";
import type { EventBody, Item, UniversalEvent } from "@muster/schema";
import type { EventLog } from "../event-log/index.ts";
import { agentLines } from "./agent-lines.ts";

interface Place {
  agent: string;
  /** The last event it has said. */
  after: number;
  /** Whether it is told deltas too. */
  deltas: boolean;
}

/**
 * Writers that stopped at the end of a page: who reads page after page goes on with one, and what lies before is said once,
 * not once for every page. The oldest of a session give way.
 */
const stopped = new WeakMap<EventLog, (Place & { writer: LinesWriter })[]>();
const mostStopped = 4;

/** The events of a session as lines of an agent's own protocol, read on from some event. */
export class SessionLines {
  readonly #log: EventLog;
  readonly #place: Place;
  readonly #writer: LinesWriter;
  readonly #before: ReadonlyMap<string, number>;

  /** A line can depend on earlier events, so those before `after` are said once more to nobody. */
  static async open(log: EventLog, place: Place): Promise<SessionLines> {
    const lines = await agentLines(place.agent);
    const writer = takeStopped(log, place) ?? (await repeat(log, place, lines.events.writer()));
    return new SessionLines(log, place, writer);
  }

  private constructor(log: EventLog, place: Place, writer: LinesWriter) {
    this.#log = log;
    this.#place = place;
    this.#writer = writer;
    this.#before = new Map(writer.leftOut);
  }

  /** What the agent has no words for → how often it was left out from there on. */
  get leftOut(): Readonly<Record<string, number>> {
    const counts = [...this.#writer.leftOut].map(
      ([what, count]) => [what, count - (this.#before.get(what) ?? 0)] as const,
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  /** The JSON of the lines that say an event; none where the agent cannot. */
  write(event: UniversalEvent): string[] {
    return bodiesOf(event).flatMap((body) => this.#writer.write(body).map((line) => JSON.stringify(line)));
  }

  /** Everything up to `after` is said, and whoever asks for what follows may go on from here. Not to be written to again. */
  stop(after: number): void {
    const kept = stopped.get(this.#log) ?? [];
    kept.push({ ...this.#place, after, writer: this.#writer });
    stopped.set(this.#log, kept.slice(-mostStopped));
  }
}

function takeStopped(log: EventLog, { agent, after, deltas }: Place): LinesWriter | undefined {
  const kept = stopped.get(log) ?? [];
  const index = kept.findIndex((one) => one.agent === agent && one.after === after && one.deltas === deltas);
  return index < 0 ? undefined : kept.splice(index, 1)[0]?.writer;
}

/** Of earlier turns without their deltas: whatever those add up to is in the item that ends them. */
async function repeat(log: EventLog, { after, deltas }: Place, writer: LinesWriter): Promise<LinesWriter> {
  let waiting: UniversalEvent[] = [];
  let turnStart = 0;
  for await (const event of eventsUpTo(log, 0, after, false)) {
    if (event.type === "turn.started") {
      for (const body of waiting.flatMap(bodiesOf)) writer.write(body);
      waiting = [];
      turnStart = event.sequence - 1;
    }
    waiting.push(event);
  }
  for await (const event of eventsUpTo(log, turnStart, after, deltas)) {
    for (const body of bodiesOf(event)) writer.write(body);
  }
  return writer;
}

const pageEvents = 10_000;

async function* eventsUpTo(log: EventLog, start: number, end: number, deltas: boolean): AsyncGenerator<UniversalEvent> {
  for (let from = start; from < end; ) {
    const { lines, last } = await log.read(from, Math.min(pageEvents, end - from), { deltas });
    for (const line of lines) {
      const event = JSON.parse(line.toString()) as UniversalEvent;
      if (event.sequence <= end) yield event;
    }
    // Beyond the end; whoever reads on from there is told so.
    if (last === from) return;
    from = last;
  }
}

/** No agent has a word for a rewind in its lines: they say in the conversation that there was one. */
function bodiesOf(event: UniversalEvent): EventBody[] {
  if (event.type !== "session.rewound" || !event.data.chat)
    return [{ type: event.type, data: event.data } as EventBody];
  const { toTurn, turns, undone } = event.data;
  const detail = `${undone ? "again with" : `to the end of turn ${toTurn}, without`} ${turns.join(", ")}`;
  const item: Item = {
    itemId: `rewound_${event.sequence}`,
    kind: "status",
    role: "system",
    status: "completed",
    content: [{ type: "status", label: undone ? "rewind taken back" : "rewound", detail }],
  };
  return [
    { type: "item.started", data: { item } },
    { type: "item.completed", data: { item } },
  ];
}
