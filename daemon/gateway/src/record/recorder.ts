import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, redactKnown, redactValues } from "@muster/core";
import { replaceFile, SerialQueues } from "@muster/node";
import type { GatewayLog } from "../log.ts";

/** One request and its answer as a file of a record has them; `scripted-llm replay <folder>` serves such files. */
export interface RecordedExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: Buffer;
  /** The answer broke off after its last byte. */
  readonly isCut: boolean;
}

interface RecorderOptions {
  readonly directory: string;
  readonly log: GatewayLog;
  /** Values that never stand in a file. */
  readonly secrets: () => readonly string[];
  readonly redact?: ((text: string) => string) | undefined;
}

/** Headers by which a replay tells conversations apart, and none that holds a key. */
const keptUp =
  /^(content-type|user-agent|x-claude-code-|session-id$|thread-id$|x-session-id$|x-parent-session-id$|x-codex-|x-openai-subagent$|anthropic-version$)/;
/** Headers on which a client acts. */
const keptDown =
  /^(content-type|cache-control|retry-after(-ms)?|(x-)?request-id|x-should-retry|(anthropic|x)-ratelimit-.+)$/;

/** Writes the exchanges of a session, each as one file, in the order in which they were over. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #queues = new SerialQueues();
  readonly #numbers = new Map<string, number>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  folderOf(sessionId: string): string {
    return join(this.#options.directory, folderName(sessionId));
  }

  /** What cannot be written is told and changes nothing for the session. */
  write(sessionId: string, exchange: RecordedExchange): void {
    void this.#queues.run(sessionId, async () => {
      try {
        const folder = this.folderOf(sessionId);
        const number = await this.#nextNumber(folder);
        const text = `${JSON.stringify(this.#fileOf(exchange), null, 1)}\n`;
        await replaceFile(join(folder, `${String(number).padStart(6, "0")}.json`), text);
      } catch (error) {
        this.#options.log("error", `a request could not be recorded: ${messageOf(error)}`, { sessionId });
      }
    });
  }

  /** Everything that was given so far is on disk. */
  idle(): Promise<void> {
    return this.#queues.idle();
  }

  async #nextNumber(folder: string): Promise<number> {
    let last = this.#numbers.get(folder);
    if (last === undefined) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = await readdir(folder);
      last = Math.max(0, ...names.map((name) => Number(/^(\d{6})\.json$/.exec(name)?.[1] ?? 0)));
    }
    this.#numbers.set(folder, last + 1);
    return last + 1;
  }

  #fileOf(exchange: RecordedExchange): object {
    const known = redactKnown(this.#options.secrets());
    const clean = (text: string) => redactValues((this.#options.redact ?? String)(known(text)));
    const { method, path, headers, body, status, answerHeaders, answer, isCut } = exchange;
    return {
      format: 1,
      method,
      path: clean(path),
      headers: pick(headers, keptUp, clean),
      ...contentOf(body, clean),
      reply: { status, headers: pick(answerHeaders, keptDown, clean), ...contentOf(answer, clean), cut: isCut },
    };
  }
}

/** Text where it is text: a person reads it, and secrets are found in it. */
function contentOf(bytes: Buffer, clean: (text: string) => string): { body: string; encoding: "utf8" | "base64" } {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return { body: clean(text), encoding: "utf8" };
  return { body: bytes.toString("base64"), encoding: "base64" };
}

function pick(headers: Readonly<Record<string, string>>, kept: RegExp, clean: (text: string) => string) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (kept.test(name) ? [[name, clean(value)]] : [])),
  );
}

/** Ids that differ only in case do not meet on disks that ignore it. */
function folderName(sessionId: string): string {
  if (sessionId === sessionId.toLowerCase()) return sessionId;
  return `${sessionId.toLowerCase()}-${createHash("sha256").update(sessionId).digest("hex").slice(0, 8)}`;
}
