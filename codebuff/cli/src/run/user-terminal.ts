import { join } from "node:path";
import { Terminal } from "@muster/codebuff-workspace";
import type { TerminalCommand } from "../transcript/shown-prompt.ts";

/** How long a call waits before it looks whether the person has pressed Ctrl-C. */
const lookSeconds = 0.25;

/** The person's own shell (`!`): it stays, it is not the agent's, and no gate judges it. */
export class UserTerminal {
  readonly #terminal: Terminal;
  readonly #root: string;
  #isRunning = false;
  #interrupts = 0;

  constructor({ root, home }: { root: string; home: string }) {
    this.#root = root;
    this.#terminal = new Terminal({ root, stateDirectory: join(home, ".codebuff", "terminals"), variables: "all" });
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Runs a command to its end, however long it takes. */
  async run(command: string, onOutput: (text: string) => void): Promise<TerminalCommand> {
    this.#isRunning = true;
    const output = new BothEnds();
    const options = {
      session: "user",
      agentMode: true,
      onOutput: (text: string) => {
        output.add(text);
        onOutput(text);
      },
    };
    try {
      const directory = this.#terminal.directoryOf("user") ?? this.#root;
      let result = await this.#terminal.run({ command, yield_seconds: lookSeconds }, options);
      while (result.status === "running") {
        const look = this.#takeInterrupt() ? { command_signal: "CTRL_C" as const } : {};
        result = await this.#terminal.run({ ...look, yield_seconds: lookSeconds }, options);
      }
      if (result.errorMessage !== undefined) options.onOutput(`${result.errorMessage}\n`);
      return { command, directory, exitCode: result.exitCode, output: output.text };
    } finally {
      this.#isRunning = false;
      this.#interrupts = 0;
    }
  }

  /** Ctrl-C to the command that runs. */
  interrupt(): void {
    this.#interrupts++;
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize({ columns, rows });
  }

  close(): Promise<void> {
    return this.#terminal.close();
  }

  #takeInterrupt(): boolean {
    if (this.#interrupts === 0) return false;
    this.#interrupts--;
    return true;
  }
}

const headCharacters = 10_000;
const tailCharacters = 20_000;

/** The beginning and the end of a long output: what the model gets to see of it. */
class BothEnds {
  #head = "";
  #tail = "";
  #left = 0;

  add(text: string): void {
    const room = headCharacters - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Seldom, and in large pieces: cutting at every chunk would copy the tail each time.
    if (this.#tail.length < tailCharacters * 2) return;
    this.#left += this.#tail.length - tailCharacters;
    this.#tail = this.#tail.slice(-tailCharacters);
  }

  get text(): string {
    return this.#left === 0
      ? this.#head + this.#tail
      : `${this.#head}\n[… ${this.#left} characters left out …]\n${this.#tail}`;
  }
}
