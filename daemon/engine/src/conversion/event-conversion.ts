import type { AgentLines, LinesReader, LinesWriter } from "@muster/adapters/converters";
import type { EventBody, Failure, UniversalEvent } from "@muster/schema/wire";
import type { LineConversion, LineConverterOptions } from "./line-converter.ts";
import { UniversalLines } from "./universal-lines.ts";

/** What an agent says in the lines of another; without an agent they are universal events. A log is one session. */
export class EventConversion implements LineConversion {
  readonly #reader: LinesReader | undefined;
  readonly #writer: LinesWriter | undefined;
  readonly #events: UniversalLines;
  readonly #beginning: EventBody;
  #hasBegun = false;
  #hasEnded = false;

  constructor(from: AgentLines | undefined, to: AgentLines | undefined, options: LineConverterOptions) {
    const { from: agent, sessionId, directory, requests = false } = options;
    this.#reader = from?.events.reader();
    this.#writer = to?.events.writer({ requests });
    this.#events = new UniversalLines(sessionId);
    const data = { agent, permissionMode: "default", directory, resumed: false } as const;
    this.#beginning = { type: "session.started", data };
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.#writer?.leftOut ?? new Map();
  }

  line(line: string, invalid: (what: string) => Failure): string[] {
    if (this.#reader) return this.#write(this.#session(this.#reader.line(line)));
    const { type, data } = parse(line, invalid);
    if (typeof type !== "string" || typeof data !== "object") throw invalid("is not an event");
    return this.#writer ? this.#write([{ type, data } as EventBody]) : [line];
  }

  end(): string[] {
    if (!this.#reader) return [];
    const last = this.#session(this.#reader.end());
    return this.#write(this.#hasEnded ? last : [...last, ...this.#session([ended])]);
  }

  /** With one beginning and one end, whether the agent tells them or not. */
  #session(bodies: readonly EventBody[]): EventBody[] {
    return bodies.flatMap((body) => {
      const isFirst = !this.#hasBegun;
      this.#hasBegun = true;
      if (body.type === "session.ended") this.#hasEnded = true;
      if (body.type === "session.started") return isFirst ? [body] : [];
      return isFirst ? [this.#beginning, body] : [body];
    });
  }

  #write(bodies: readonly EventBody[]): string[] {
    const writer = this.#writer;
    if (!writer) return bodies.map((body) => this.#events.write(body));
    return bodies.flatMap((body) => writer.write(body)).map((line) => JSON.stringify(line));
  }
}

function parse(line: string, invalid: (what: string) => Failure): Partial<UniversalEvent> {
  try {
    return Object(JSON.parse(line));
  } catch (error) {
    throw invalid(`is not JSON: ${(error as Error).message}`);
  }
}

const ended: EventBody = { type: "session.ended", data: { reason: "completed", terminatedBy: "agent" } };
