import type { LinesReader, LinesWriter } from "@muster/adapters/converters";
import { LineSplitter } from "@muster/node";
import { type EventBody, Failure, type UniversalEvent } from "@muster/schema/wire";
import { agentLines } from "./agent-lines.ts";
import { UniversalLines } from "./universal-lines.ts";

export interface LineConverterOptions {
  /** An agent, or `universal`. */
  from: string;
  to: string;
  /** What the events of a converted log say of their session. */
  sessionId: string;
  directory: string;
}

/** Bytes of one protocol in, lines of another out; keeps no more than what is open. */
export class LineConverter {
  readonly #splitter = new LineSplitter();
  readonly #reader: LinesReader | undefined;
  readonly #writer: LinesWriter | undefined;
  readonly #events: UniversalLines;
  #beginning: EventBody[] = [];
  #count = 0;

  static async open(options: LineConverterOptions): Promise<LineConverter> {
    const linesOf = (protocol: string) => (protocol === "universal" ? undefined : agentLines(protocol));
    const [from, to] = await Promise.all([linesOf(options.from), linesOf(options.to)]);
    return new LineConverter(options, from?.reader(), to?.writer());
  }

  private constructor(
    { from, sessionId, directory }: LineConverterOptions,
    reader: LinesReader | undefined,
    writer: LinesWriter | undefined,
  ) {
    this.#reader = reader;
    this.#writer = writer;
    this.#events = new UniversalLines(sessionId);
    const data = { agent: from, permissionMode: "default", directory, resumed: false } as const;
    if (this.#reader) this.#beginning = [{ type: "session.started", data }];
  }

  /** What the target has no words for → how often it was left out. */
  get leftOut(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#writer?.leftOut ?? []);
  }

  push(chunk: Buffer): string[] {
    return this.#splitter.push(chunk).flatMap((line) => {
      this.#count++;
      if (line === "") return [];
      if (typeof line !== "string") throw this.#invalid(`is ${line.problem} (${line.bytes} bytes)`);
      return this.#reader ? this.#write(this.#reader.line(line)) : this.#writeEvent(line);
    });
  }

  /** The input is over: its last line, and the ends of what was open. */
  end(): string[] {
    const last = this.push(Buffer.from("\n"));
    return this.#reader ? [...last, ...this.#write(this.#reader.end()), ...this.#write([ended])] : last;
  }

  #write(bodies: readonly EventBody[]): string[] {
    const all = [...this.#beginning, ...bodies];
    this.#beginning = [];
    const writer = this.#writer;
    if (!writer) return all.map((body) => this.#events.write(body));
    return all.flatMap((body) => writer.write(body)).map((line) => JSON.stringify(line));
  }

  #writeEvent(line: string): string[] {
    const { type, data } = this.#parse(line);
    if (typeof type !== "string" || typeof data !== "object") throw this.#invalid("is not an event");
    return this.#writer ? this.#write([{ type, data } as EventBody]) : [line];
  }

  #parse(line: string): Partial<UniversalEvent> {
    try {
      return Object(JSON.parse(line));
    } catch (error) {
      throw this.#invalid(`is not JSON: ${(error as Error).message}`);
    }
  }

  #invalid(what: string): Failure {
    return new Failure("invalid_request", `Line ${this.#count} ${what}`, { line: this.#count });
  }
}

const ended: EventBody = { type: "session.ended", data: { reason: "completed", terminatedBy: "agent" } };
