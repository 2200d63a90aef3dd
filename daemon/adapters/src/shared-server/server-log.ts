import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentHost } from "../host.ts";

const rotateBytes = 8 * 1024 * 1024;

/** What a shared server says that belongs to no session: JSON lines in a file, and one older file beside it. */
export class ServerLog {
  readonly path: string;
  readonly #redact: AgentHost["redact"];
  readonly #onFailure: (error: unknown) => void;
  #bytes: number | undefined;

  constructor(path: string, { redact, onFailure }: Pick<AgentHost, "redact"> & { onFailure(error: unknown): void }) {
    this.path = path;
    this.#redact = redact;
    this.#onFailure = onFailure;
  }

  /** Synchronous and therefore without a queue: such lines are rare and come in one piece per chunk. */
  write(entries: readonly object[]): void {
    const time = new Date().toISOString();
    const text = entries.map((entry) => `${this.#redact(JSON.stringify({ time, ...entry }))}\n`).join("");
    try {
      this.#bytes ??= this.#open();
      if (this.#bytes > rotateBytes) {
        renameSync(this.path, `${this.path}.1`);
        this.#bytes = 0;
      }
      appendFileSync(this.path, text, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(text);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }
}
