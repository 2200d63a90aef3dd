import { appendFileSync } from "node:fs";
import { parseJson } from "@muster/core";
import { redact, secretsIn } from "./redact.ts";

/** How a request ended. `open`: not yet; `client_closed`: the client went away before the reply was over. */
export type Outcome = "open" | "replied" | "fault" | "unanswered" | "not_found" | "client_closed";

/** One request as it came in. Header names only: values hold keys. */
export interface RecordedRequest {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headerNames: readonly string[];
  /** Parsed JSON, or the text where it is none; secrets taken out. */
  readonly body: unknown;
  readonly status: number | undefined;
  readonly outcome: Outcome;
  readonly conversation: string | undefined;
  /** Counted from 1. */
  readonly turn: number | undefined;
}

/** An assertion of the script that did not hold, or a request nobody could answer. */
export interface ScriptFailure {
  readonly requestNumber: number;
  readonly conversation: string | undefined;
  readonly turn: number | undefined;
  readonly message: string;
}

export interface RecorderLimits {
  readonly requests?: number;
  readonly bytes?: number;
}

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
}

export type Ending = Pick<RecordedRequest, "status" | "outcome" | "conversation" | "turn">;

const notEnded: Ending = { status: undefined, outcome: "open", conversation: undefined, turn: undefined };

/** The body stays text until somebody asks: parsed JSON takes several times the memory that is counted. */
interface Entry {
  readonly head: Omit<RecordedRequest, "body" | keyof Ending>;
  readonly text: string;
  ending: Ending;
}

/** Keeps the newest requests within a count and a number of bytes, and all failures up to a count. */
export class Recorder {
  readonly #limits: Required<RecorderLimits>;
  readonly #file: string | undefined;
  #kept: Entry[] = [];
  #failures: ScriptFailure[] = [];
  #bytes = 0;
  #numbered = 0;

  constructor(limits: RecorderLimits = {}, file?: string) {
    this.#limits = { requests: limits.requests ?? 1_000, bytes: limits.bytes ?? 64 * 1024 * 1024 };
    this.#file = file;
  }

  /** Writes a request down. The returned function says how it ended. */
  begin({ method, path, headers, bodyText }: Incoming): { number: number; end(ending: Ending): void } {
    this.#numbered += 1;
    const number = this.#numbered;
    const clean = redact(bodyText, secretsIn(headers));
    const isTooLarge = clean.length > this.#limits.bytes;
    const text = isTooLarge ? `[${clean.length} characters, too large to keep]` : clean;
    const entry: Entry = { head: { number, method, path, headerNames: Object.keys(headers) }, text, ending: notEnded };
    this.#kept.push(entry);
    this.#bytes += text.length;
    while (this.#kept.length > this.#limits.requests || this.#bytes > this.#limits.bytes) {
      this.#bytes -= this.#kept.shift()?.text.length ?? 0;
    }
    const end = (ending: Ending) => {
      entry.ending = ending;
      if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(requestOf(entry))}\n`);
    };
    return { number, end };
  }

  fail(failure: ScriptFailure): void {
    if (this.#failures.length < this.#limits.requests) this.#failures.push(failure);
  }

  requests(): RecordedRequest[] {
    return this.#kept.map(requestOf);
  }

  failures(): ScriptFailure[] {
    return [...this.#failures];
  }

  reset(): void {
    this.#kept = [];
    this.#failures = [];
    this.#bytes = 0;
    this.#numbered = 0;
  }
}

function requestOf({ head, text, ending }: Entry): RecordedRequest {
  return { ...head, body: parseJson(text, text), ...ending };
}
