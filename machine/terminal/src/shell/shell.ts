import { randomBytes } from "node:crypto";
import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Channel, OpenChannel, TerminalSize } from "../channel/channel.ts";
import { OutputBuffer, type Unread } from "../output/output-buffer.ts";
import { type Environment, terminalEnvironment } from "../processes/environment.ts";
import { endTree, markFor, type Owner, processIdentity } from "../processes/process-tree.ts";
import { RecordReader } from "./records.ts";
import type { RunningCommand } from "./running-command.ts";
import { commandLine, startScript } from "./shell-script.ts";

export interface ShellOptions {
  open: OpenChannel;
  file: string;
  cwd: string;
  environment: Environment;
  /** What the shell before this one had exported. */
  environmentFile: string | null;
  /** For command files. */
  directory: string;
  /** `<terminal>.<shell>`, and the variable it is the value of. */
  mark: string;
  variable: string;
  terminal: "pty" | "pipes";
  size: TerminalSize;
}

export interface Execution {
  running: RunningCommand;
  /** What the shell is given in place of the command, such as the same command in a sandbox. */
  text?: string;
  stdin: "none" | "terminal";
  /** Run there; the shell returns to where it was unless the command itself moved on. */
  directory?: string;
}

/** One living bash. It runs one command at a time and is never used again after it has died. */
export class Shell {
  readonly #options: ShellOptions;
  #channel: Channel | null = null;
  #owner: Owner;
  #reader: RecordReader | null = null;
  #running: RunningCommand | null = null;
  #nonce = "";
  #cwd: string;
  #environmentFile: string | null;
  readonly #idleOutput = new OutputBuffer({ headBytes: 8 * 1024, tailBytes: 24 * 1024 });
  readonly #written = new Set<string>();
  #alive = true;
  #spoiled = false;
  #gone = false;
  #onStarted: ((exitCode: number | null) => void) | null = null;
  #onExited: () => void = () => {};
  readonly #exited = new Promise<void>((resolve) => {
    this.#onExited = resolve;
  });

  private constructor(options: ShellOptions) {
    this.#options = options;
    this.#cwd = options.cwd;
    this.#environmentFile = options.environmentFile;
    this.#owner = { variable: options.variable, mark: options.mark };
  }

  /** Resolves at the first prompt. Throws when there is none. */
  static async start(options: ShellOptions): Promise<Shell> {
    const shell = new Shell(options);
    await shell.#start();
    return shell;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** It cannot tell any more when a command was interrupted; another one has to take over. */
  get spoiled(): boolean {
    return this.#spoiled;
  }

  get cwd(): string {
    return this.#cwd;
  }

  get environmentFile(): string | null {
    return this.#environmentFile;
  }

  execute(execution: Execution): void {
    this.#nonce = newNonce();
    this.#writeFile("sh", `${execution.text ?? execution.running.command}\n`);
    if (execution.directory !== undefined) this.#writeFile("cd", execution.directory);
    if (!this.#alive) return execution.running.finish({ kind: "died", exitCode: 137 });
    this.#running = execution.running;
    this.#reader = new RecordReader(this.#nonce);
    this.#channel?.write(commandLine(this.#nonce, execution.stdin));
  }

  type(text: string): void {
    this.#noteInput();
    this.#channel?.type(text);
  }

  /** What a terminal says to a program by itself, byte for byte. */
  answer(text: string): void {
    this.#noteInput();
    this.#channel?.write(text);
  }

  /** What jobs in the background wrote while no command ran. */
  takeIdleOutput(): Unread {
    return this.#idleOutput.take();
  }

  interrupt(): void {
    this.#channel?.interrupt();
  }

  endInput(): boolean {
    this.#noteInput();
    return this.#channel?.endInput() ?? false;
  }

  resize(size: TerminalSize): void {
    this.#channel?.resize(size);
  }

  /** Ends the shell and everything that came from it; resolves when all of it is gone and its output was read. */
  async kill(graceMs: number): Promise<void> {
    if (this.#channel === null || this.#gone) return;
    await endTree(this.#owner, { graceMs, shell: this.#channel.pid });
    // What the last process wrote may still be on its way to us.
    if (this.#alive) await Promise.race([this.#exited, delay(30, undefined, { ref: false })]);
    this.#channel.close();
    this.#died(137);
    this.#gone = true;
  }

  async #start(): Promise<void> {
    const options = this.#options;
    const nonce = newNonce();
    const { directory, terminal, environmentFile, variable, mark } = options;
    this.#nonce = nonce;
    const script = join(directory, `${nonce}.start`);
    const text = startScript({ directory, terminal, environmentFile, startNonce: nonce, variable });
    writeFileSync(script, text, { mode: 0o600 });
    this.#reader = new RecordReader(nonce, { begun: true });
    const environment = terminalEnvironment(options.environment);
    const started = new Promise<number | null>((resolve) => {
      this.#onStarted = resolve;
    });
    const limit = setTimeout(() => this.#onStarted?.(-1), 10_000);
    try {
      this.#channel = options.open({
        file: options.file,
        arguments: ["--noprofile", "--rcfile", script, "--noediting", "-i"],
        cwd: options.cwd,
        environment: { ...environment, [variable]: markFor({ variable, mark }, environment) },
        size: options.size,
        onData: (bytes) => this.#read(bytes),
        onExit: (exitCode) => this.#died(exitCode),
      });
      const identity = processIdentity(this.#channel.pid);
      if (identity) this.#owner = { variable, mark, roots: [identity], since: identity.startTime };
      const failure = await started;
      if (failure !== null) {
        await this.kill(0);
        throw new Error(`${options.file} ended before its first prompt (exit code ${failure})`);
      }
    } finally {
      clearTimeout(limit);
      this.#onStarted = null;
      removeFile(script);
    }
  }

  #read(bytes: Buffer): void {
    if (this.#reader === null) {
      this.#idleOutput.append(bytes);
      return;
    }
    const { output, end, after } = this.#reader.push(bytes);
    for (const part of output) this.#running?.append(part);
    if (end === null) return;
    this.#reader = null;
    this.#idleOutput.append(after);
    this.#cwd = end.cwd;
    this.#spoiled = end.spoiled;
    this.#keepEnvironment();
    this.#removeCommandFiles();
    this.#onStarted?.(null);
    const running = this.#running;
    this.#running = null;
    running?.finish({ kind: "completed", exitCode: end.exitCode });
  }

  /** The file was complete before the end record was printed; only now does it replace the one before. */
  #keepEnvironment(): void {
    if (this.#environmentFile !== null) removeFile(this.#environmentFile);
    this.#environmentFile = this.#file("env");
  }

  #died(exitCode: number): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#removeCommandFiles();
    this.#onStarted?.(exitCode);
    const rest = this.#reader?.rest();
    if (rest !== undefined && rest.length > 0) this.#running?.append(rest);
    this.#running?.finish({ kind: "died", exitCode });
    this.#onExited();
    this.#running = null;
  }

  #writeFile(kind: "sh" | "cd" | "typed", content: string): void {
    this.#written.add(this.#file(kind));
    writeFileSync(this.#file(kind), content, { mode: 0o600 });
  }

  #removeCommandFiles(): void {
    for (const file of this.#written) removeFile(file);
    this.#written.clear();
  }

  /** Makes the shell throw away what the program left unread: it would take it for a command. */
  #noteInput(): void {
    if (this.#running !== null) this.#writeFile("typed", "");
  }

  #file(kind: "sh" | "cd" | "env" | "typed"): string {
    return join(this.#options.directory, `${this.#nonce}.${kind}`);
  }
}

/** Three times as fast as rmSync, which matters a thousand times a session. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // There was none.
  }
}

function newNonce(): string {
  return randomBytes(8).toString("hex");
}
