import { join } from "node:path";
import { parseJson } from "@muster/core";
import { readRegular, replaceFile } from "@muster/node";
import { Failure, type TerminalScreen, type TerminalSize } from "@muster/schema/wire";
import { bytesOf } from "../processes/log/output-lines.ts";
import type { SandboxProcess } from "../processes/sandbox-process.ts";
import { Emulator, type Snapshot } from "./emulator.ts";

/** Lines kept above the screen; what is before them is in the log. */
const scrollback = 1_000;
/** How much output is read once more, at most, when a daemon starts anew. */
const checkpointBytes = 2 * 1024 * 1024;
const file = "screen.json";

/** What is on the terminal of one process at every moment, from its start to its end and afterwards. */
export class TerminalView {
  readonly #process: SandboxProcess;
  readonly #emulator: Emulator;
  #checkpoint = 0;
  #saving: Promise<void> = Promise.resolve();

  /** Of a process that has just been started, that was taken over, or that has ended. */
  static async open(process: SandboxProcess, isNew: boolean): Promise<TerminalView> {
    const { pty } = process.record;
    if (pty === undefined) {
      const { processId } = process.record;
      throw new Failure("no_terminal", `Process ${processId} has no terminal`, { processId });
    }
    const kept = await readCheckpoint(process.folder);
    // A disk may have lost the output that it shows.
    const from = kept !== undefined && kept.offset <= process.outputBytes ? kept : undefined;
    const answer = (text: string) => {
      // A program that has ended waits for no answer.
      if (process.isRunning) process.input(Buffer.from(text)).catch(() => {});
    };
    const emulator = await Emulator.make({ size: pty, scrollback, answer }, from);
    const view = new TerminalView(process, emulator);
    await view.#begin(isNew);
    return view;
  }

  private constructor(process: SandboxProcess, emulator: Emulator) {
    this.#process = process;
    this.#emulator = emulator;
    this.#checkpoint = emulator.offset;
  }

  screen(): Promise<TerminalScreen> {
    return this.#emulator.screen();
  }

  snapshot(): Promise<Snapshot> {
    return this.#emulator.snapshot();
  }

  /** What is on the screen is kept for the next daemon. */
  async close(): Promise<void> {
    this.#process.listen(undefined);
    await this.#save();
    this.#emulator.dispose();
  }

  /** Reads what is in the log already; what comes meanwhile waits, and then follows without a gap. */
  async #begin(isNew: boolean): Promise<void> {
    await this.#process.hold(async () => {
      // What a program asked a daemon before this one was answered then.
      await this.#read((bytes) => (isNew ? this.#emulator.write(bytes) : this.#emulator.replay(bytes)));
      this.#process.listen({
        take: (_, bytes) => this.#take(bytes),
        resize: (size) => this.#emulator.resize(size),
      });
    });
  }

  async #read(write: (bytes: Buffer) => Promise<void>): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const page = await this.#process.read(this.#emulator.offset, 1024 * 1024);
      for (const chunk of page.chunks) {
        if (chunk.type === "output") await write(bytesOf(chunk));
        else if (chunk.type === "resized") await this.#emulator.resize(sizeOf(chunk));
      }
      hasMore = page.hasMore && page.chunks.length > 0;
    }
  }

  async #take(bytes: Buffer): Promise<void> {
    await this.#emulator.write(bytes);
    if (this.#emulator.offset - this.#checkpoint < checkpointBytes) return;
    this.#checkpoint = this.#emulator.offset;
    this.#saving = this.#saving.then(() => this.#save());
  }

  async #save(): Promise<void> {
    const { text, ...place } = await this.#emulator.snapshot();
    const content = JSON.stringify({ ...place, text: text.toString("base64") });
    // Without it more of the log is read the next time.
    await replaceFile(join(this.#process.folder, file), content).catch(() => {});
  }
}

function sizeOf({ columns, rows }: TerminalSize): TerminalSize {
  return { columns, rows };
}

async function readCheckpoint(folder: string): Promise<Snapshot | undefined> {
  const content = parseJson(await readRegular(join(folder, file)).then(String, () => "")) as
    | { offset: number; columns: number; rows: number; text: string }
    | undefined;
  return content && { ...content, text: Buffer.from(content.text, "base64") };
}
