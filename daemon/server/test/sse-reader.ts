import { createHash } from "node:crypto";
import { get, type IncomingMessage } from "node:http";

/**
 * Reads an event stream with little more than the socket costs, so that ten of them do not slow down the daemon they
 * watch. It can stop reading, and leave and come back with the last id it has seen.
 */
export class SseReader {
  /** How many events came, and whether each was the one after the last. */
  count = 0;
  isInOrder = true;
  last = 0;
  readonly #url: string;
  readonly #digest = createHash("sha256");
  readonly #waiting = new Set<() => void>();
  #response: IncomingMessage | undefined;
  #rest = "";
  #isPaused = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens the stream after the last event seen. */
  async connect(): Promise<void> {
    const headers = this.last === 0 ? {} : { "last-event-id": String(this.last) };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(this.#url, { headers, agent: false }, resolve).once("error", reject);
    });
    if (response.statusCode !== 200) throw new Error(`${this.#url} answered ${response.statusCode}`);
    this.#rest = "";
    this.#response = response;
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#take(text));
    response.on("error", () => {});
    if (this.#isPaused) response.pause();
  }

  leave(): void {
    this.#response?.removeAllListeners("data");
    this.#response?.destroy();
  }

  async reconnect(): Promise<void> {
    this.leave();
    await this.connect();
  }

  pause(): void {
    this.#isPaused = true;
    this.#response?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#response?.resume();
  }

  /** Resolves when this event has come. */
  async until(sequence: number): Promise<void> {
    while (this.last < sequence) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** One value for everything that was read. */
  digest(): string {
    return this.#digest.copy().digest("hex");
  }

  #take(text: string): void {
    const frames = (this.#rest + text).split("\n\n");
    this.#rest = frames.pop() ?? "";
    for (const frame of frames) {
      if (!frame.startsWith("id: ")) continue;
      const sequence = Number(frame.slice(4, frame.indexOf("\n")));
      if (sequence !== this.last + 1) this.isInOrder = false;
      this.last = sequence;
      this.count++;
      this.#digest.update(frame);
    }
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
