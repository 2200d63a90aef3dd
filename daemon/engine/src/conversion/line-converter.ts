import { LineSplitter } from "@muster/node";
import { Failure } from "@muster/schema/wire";
import { agentLines } from "./agent-lines.ts";
import { EventConversion } from "./event-conversion.ts";
import { InputConversion } from "./input-conversion.ts";

export interface LineConverterOptions {
  /** An agent, or `universal`. */
  from: string;
  to: string;
  /** What goes to agents instead of what comes from them. */
  input?: boolean;
  /** Questions and permissions too, where the target has a line for them. */
  requests?: boolean;
  /** What the events of a converted log say of their session. */
  sessionId: string;
  directory: string;
}

/** What a line becomes. `invalid` makes the failure of one that is not of its protocol. */
export interface LineConversion {
  line(line: string, invalid: (what: string) => Failure): string[];
  /** The input is over: the ends of what was open. */
  end(): string[];
  /** What the target has no words for → how often it was left out. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Bytes of one protocol in, lines of another out; keeps no more than what is open. */
export class LineConverter {
  readonly #splitter = new LineSplitter();
  readonly #conversion: LineConversion;
  #count = 0;

  static async open(options: LineConverterOptions): Promise<LineConverter> {
    const linesOf = (protocol: string) => (protocol === "universal" ? undefined : agentLines(protocol));
    const [from, to] = await Promise.all([linesOf(options.from), linesOf(options.to)]);
    if (!options.input) return new LineConverter(new EventConversion(from, to, options));
    const { universalInput } = await import("@muster/adapters/converters");
    return new LineConverter(new InputConversion(from, to, universalInput));
  }

  private constructor(conversion: LineConversion) {
    this.#conversion = conversion;
  }

  get leftOut(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#conversion.leftOut);
  }

  push(chunk: Buffer): string[] {
    return this.#splitter.push(chunk).flatMap((line) => {
      this.#count++;
      if (line === "") return [];
      if (typeof line !== "string") throw this.#invalid(`is ${line.problem} (${line.bytes} bytes)`);
      return this.#conversion.line(line, (what) => this.#invalid(what));
    });
  }

  /** The input is over: its last line, and the ends of what was open. */
  end(): string[] {
    return [...this.push(Buffer.from("\n")), ...this.#conversion.end()];
  }

  #invalid(what: string): Failure {
    return new Failure("invalid_request", `Line ${this.#count} ${what}`, { line: this.#count });
  }
}
