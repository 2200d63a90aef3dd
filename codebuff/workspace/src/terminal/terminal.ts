import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { TerminalCall, type TerminalResult, type TerminalScreen } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import {
  allowedVariables,
  createOwnerDirectory,
  type Environment,
  endOrphans,
  loadPty,
  loginEnvironment,
  type OpenChannel,
  type OwnerDirectory,
  openPipes,
  removeOwnerDirectory,
  type TerminalSize,
} from "@muster/terminal";
import type { z } from "zod";
import { aborted, orAborted } from "./abort.ts";
import { BackgroundProcesses } from "./background.ts";
import { isDirectory } from "./is-directory.ts";
import { limits } from "./limits.ts";
import { runOneShot } from "./one-shot.ts";
import { notStarted, Session, type TerminalRunOptions } from "./session.ts";

/** Every process of a terminal has it; its value is `<terminal>.<shell>`. */
const variable = "CODEBUFF_PROCESS";

export interface TerminalOptions {
  /** The project's directory: sessions start there and relative `cwd`s count from it. */
  root: string;
  /** Where sessions begin, when not in `root`; a directory that is gone is told with the first result. */
  startIn?: string;
  /** Told to the model with the first result of the session `main`: what a terminal before this one has taken along. */
  note?: string;
  /** Left out: the variables of the user's login environment that hold no keys. */
  environment?: Environment;
  /** Names of more variables, beside those the person named in `CODEBUFF_VARIABLES`; `all`: the terminal is the person's own. */
  variables?: readonly string[] | "all";
  shell?: string;
  size?: TerminalSize;
  /** Where command files and the record of their owner lie; not inside the project. */
  stateDirectory?: string;
  /** "pipes" does without the native module even where it is installed. */
  channel?: "pty" | "pipes";
}

/** For callers who know more of the sessions than the one that called: the name, and where a new one begins. */
export interface SessionChoice {
  session?: string;
  startIn?: string;
}

type Call = z.input<typeof TerminalCall>;

/**
 * The terminal sessions of one party. The user and the agent have one each and share nothing.
 * No method throws for what a caller or a command does wrong: the result tells.
 */
export class Terminal {
  readonly background = new BackgroundProcesses();
  readonly #options: TerminalOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #plain = new Set<string>();
  #ground: Promise<Ground> | null = null;
  #directory: OwnerDirectory | null = null;
  #size: TerminalSize;
  #closed = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#size = options.size ?? { columns: 80, rows: 24 };
  }

  /** The tool `run_terminal_command`. */
  async run(input: Call, options: TerminalRunOptions & SessionChoice = {}): Promise<TerminalResult> {
    const parsed = TerminalCall.safeParse(input);
    const asked = typeof input.command === "string" ? { command: input.command } : {};
    if (!parsed.success)
      return { ...asked, errorMessage: parsed.error.issues.map((issue) => issue.message).join("; ") };
    try {
      const id = options.session ?? parsed.data.session_id ?? "main";
      const session = await orAborted(this.#session(id, options.startIn), options.signal);
      if (session === aborted) return notStarted(asked);
      const { command } = parsed.data;
      if (command !== undefined && (options.runAs ?? command) === command) this.#plain.add(id);
      if (parsed.data.process_type === "SYNC") return await session.run(parsed.data, options);
      return await this.#runInBackground(session, parsed.data, options.runAs);
    } catch (error) {
      return { ...asked, errorMessage: messageOf(error) };
    }
  }

  /** One command in a shell of its own, without the state of any session; any number may run at the same time. */
  async runOnce(
    input: { command: string; cwd?: string; timeout_seconds?: number },
    options: Omit<TerminalRunOptions, "agentMode"> = {},
  ): Promise<TerminalResult> {
    const { command, timeout_seconds: seconds = 30 } = input;
    const cwd = resolve(this.#options.root, input.cwd ?? ".");
    if (!isDirectory(cwd)) return { command, errorMessage: `No such directory: ${cwd}` };
    try {
      const ground = await orAborted(this.#prepare(), options.signal);
      if (ground === aborted) return notStarted({ command });
      const decoder = { stdout: new TextDecoder(), stderr: new TextDecoder() };
      return await runOneShot({
        ...this.#detachedOptions(ground),
        command,
        text: options.runAs,
        cwd,
        limitMs: seconds === -1 ? Number.POSITIVE_INFINITY : seconds * 1000,
        signal: options.signal,
        onOutput: (bytes, stream) => options.onOutput?.(decoder[stream].decode(bytes, { stream: true })),
      });
    } catch (error) {
      return { command, errorMessage: messageOf(error) };
    }
  }

  /** The tool `read_screen`; undefined for a session that does not exist. */
  async readScreen(sessionId = "main"): Promise<TerminalScreen | undefined> {
    return this.#sessions.get(sessionId)?.screen();
  }

  /** Whether a session has ever run a command as it was written, and may have learned functions and traps from it. */
  hasRunPlain(sessionId: string): boolean {
    return this.#plain.has(sessionId);
  }

  /** Where the next command of a session would run; undefined for a session that does not exist. */
  directoryOf(sessionId = "main"): string | undefined {
    return this.#sessions.get(sessionId)?.cwd;
  }

  /** The tool `kill_terminal`: ends everything in a session, also under a waiting call. False: no such session. */
  async kill(sessionId = "main"): Promise<boolean> {
    const session = this.#sessions.get(sessionId);
    await session?.kill(limits.abortGraceMs);
    return session !== undefined;
  }

  /** Ends a session and those named below it, as in `agent:7` and `agent:7/server`, and forgets them. */
  async end(sessionId: string): Promise<void> {
    const ended = [...this.#sessions].filter(([id]) => id === sessionId || id.startsWith(`${sessionId}/`));
    for (const [id] of ended) this.#sessions.delete(id);
    await Promise.all(ended.map(([, session]) => session.close(limits.abortGraceMs)));
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    for (const session of this.#sessions.values()) session.resize(size);
  }

  /** Ends all sessions and processes; every call after this is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#ground?.catch(() => {});
    const sessions = [...this.#sessions.values()].map((session) => session.close(limits.timeoutGraceMs));
    await Promise.all([...sessions, this.background.close(limits.closeGraceMs)]);
    if (this.#directory !== null) removeOwnerDirectory(this.#directory);
  }

  async #session(id: string, startIn?: string): Promise<Session> {
    const ground = await this.#prepare();
    const known = this.#sessions.get(id);
    if (known !== undefined && !known.killed) return known;
    this.#makeRoom();
    if (known !== undefined) return known;
    const { open, environment } = ground;
    const { root, shell = "bash" } = this.#options;
    const begin = {
      startIn: resolve(root, startIn ?? this.#options.startIn ?? "."),
      note: id === "main" ? this.#options.note : undefined,
    };
    const place = {
      root: resolve(root),
      ...begin,
      directory: ground.directory.path,
      owner: ground.directory.id,
      variable,
    };
    const session = new Session({ id, ...place, shell, open, terminal: ground.channel, environment, size: this.#size });
    this.#sessions.set(id, session);
    return session;
  }

  /** A killed session takes no place. Its directory is remembered as long as not too many others are. */
  #makeRoom(): void {
    const killed = [...this.#sessions].filter(([, session]) => session.killed);
    if (this.#sessions.size - killed.length >= limits.sessions)
      throw new Error(`There are ${limits.sessions} sessions already`);
    for (const [id] of killed.slice(0, -limits.sessions)) this.#sessions.delete(id);
  }

  async #runInBackground(session: Session, call: TerminalCall, text: string | undefined): Promise<TerminalResult> {
    const { command = "" } = call;
    const cwd = call.cwd === undefined ? session.cwd : resolve(this.#options.root, call.cwd);
    if (!isDirectory(cwd)) return { command, errorMessage: `No such directory: ${cwd}` };
    const ground = await this.#prepare();
    return this.background.start({
      ...this.#detachedOptions(ground),
      command,
      text,
      cwd,
      environmentFile: session.environmentFile,
    });
  }

  #detachedOptions({ environment, directory }: Ground) {
    const { shell = "bash" } = this.#options;
    return { shell, environment, directory: directory.path, owner: directory.id, variable };
  }

  #prepare(): Promise<Ground> {
    if (this.#closed) return Promise.reject(new Error("The terminal is closed"));
    this.#ground ??= this.#layGround().catch((error: unknown) => {
      this.#ground = null;
      throw error;
    });
    return this.#ground;
  }

  async #inherited(): Promise<Environment> {
    const { variables } = this.#options;
    const environment = await loginEnvironment();
    return variables === "all" ? environment : allowedVariables(environment, variables);
  }

  async #layGround(): Promise<Ground> {
    if (!isAbsolute(this.#options.root))
      throw new Error(`The project's directory must be absolute: ${this.#options.root}`);
    const parent = this.#options.stateDirectory ?? join(homedir(), ".codebuff", "terminals");
    const [environment, pty] = await Promise.all([
      this.#options.environment ?? this.#inherited(),
      this.#options.channel === "pipes" ? null : loadPty(),
      endOrphans(parent, variable),
    ]);
    this.#directory ??= createOwnerDirectory(parent, variable);
    const channel = pty === null ? "pipes" : "pty";
    return { environment, open: pty ?? openPipes, channel, directory: this.#directory };
  }
}

interface Ground {
  environment: Environment;
  open: OpenChannel;
  channel: "pty" | "pipes";
  directory: OwnerDirectory;
}
