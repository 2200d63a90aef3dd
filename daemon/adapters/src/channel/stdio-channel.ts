import { LineSplitter } from "@muster/node";
import type { SupervisedProcess } from "../process/supervised-process.ts";
import type { LineChannel, LineReceiver } from "./line-channel.ts";

/** JSON lines over the pipes of a process that serves this life alone. */
export class StdioChannel<Native> implements LineChannel<Native> {
  readonly #process: SupervisedProcess;

  constructor(process: SupervisedProcess) {
    this.#process = process;
  }

  open(receiver: LineReceiver): void {
    const splitter = new LineSplitter();
    this.#process.output.read((chunk) => {
      const lines = splitter.push(chunk);
      if (lines.length > 0) receiver.lines(lines);
    });
    void this.#process.finished().then((exit) => {
      const rest = splitter.end();
      if (rest.length > 0) receiver.lines(rest);
      receiver.exit({ ...exit, stderr: this.#process.stderr() });
    });
  }

  pause(): void {
    this.#process.output.pause();
  }

  resume(): void {
    this.#process.output.resume();
  }

  write(lines: readonly Native[]): Promise<void> {
    return this.#process.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  end(options: { graceMs?: number }): Promise<void> {
    return this.#process.end(options);
  }
}
