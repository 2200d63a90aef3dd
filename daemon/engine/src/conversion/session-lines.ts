import type { LinesWriter } from "@muster/adapters/converters";
import type { EventBody, UniversalEvent } from "@muster/schema";
import type { EventLog } from "../event-log/index.ts";
import { agentLines } from "./agent-lines.ts";

/** The events of a session as lines of an agent's own protocol, read on from some event. */
export class SessionLines {
  readonly #writer: LinesWriter;
  readonly #before: ReadonlyMap<string, number>;

  /**
   * A line can depend on earlier events, so those before `after` are said once more to nobody. Deltas are not: whatever
   * they add up to is in the item that ends them.
   */
  static async open(agent: string, log: EventLog, after: number): Promise<SessionLines> {
    const writer = (await agentLines(agent)).writer();
    for (let from = 0; from < after; ) {
      const { lines, last } = await log.read(from, Math.min(pageEvents, after - from), { deltas: false });
      for (const line of lines) {
        const event = JSON.parse(line.toString()) as UniversalEvent;
        if (event.sequence <= after) writer.write(bodyOf(event));
      }
      // Beyond the end; whoever reads on from there is told so.
      if (last === from) break;
      from = last;
    }
    return new SessionLines(writer);
  }

  private constructor(writer: LinesWriter) {
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
    return this.#writer.write(bodyOf(event)).map((line) => JSON.stringify(line));
  }
}

const pageEvents = 10_000;

function bodyOf({ type, data }: UniversalEvent): EventBody {
  return { type, data } as EventBody;
}
