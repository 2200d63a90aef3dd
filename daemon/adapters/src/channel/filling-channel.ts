import { SerialQueue } from "@muster/node";
import type { LineChannel, LineReceiver } from "./line-channel.ts";

/**
 * Puts into lines what has to be read first, such as the content of attached files, while they are written. Writes keep
 * their order, so an interrupt does not overtake a message whose files are still being read.
 */
export class FillingChannel<Native> implements LineChannel<Native> {
  readonly #channel: LineChannel<Native>;
  readonly #fill: (line: Native) => Promise<Native>;
  readonly #queue = new SerialQueue();

  constructor(channel: LineChannel<Native>, fill: (line: Native) => Promise<Native>) {
    this.#channel = channel;
    this.#fill = fill;
  }

  open(receiver: LineReceiver): void {
    this.#channel.open(receiver);
  }

  pause(): void {
    this.#channel.pause();
  }

  resume(): void {
    this.#channel.resume();
  }

  write(lines: readonly Native[]): Promise<void> {
    return this.#queue.run(async () => this.#channel.write(await Promise.all(lines.map(this.#fill))));
  }

  end(options: { graceMs?: number }): Promise<void> {
    return this.#channel.end(options);
  }
}
