import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DaemonApi } from "@muster/conformance";

/** MUSTER_TEST_DAEMON: the command of another build, or a single executable, to see which of these tests it fails. */
const program =
  process.env.MUSTER_TEST_DAEMON ?? fileURLToPath(new URL("../../cli/bin/sandbox-daemon.cjs", import.meta.url));
const daemon = program.endsWith("js") ? [process.execPath, program] : [program];
/** MUSTER_TEST_PATH: its PATH, to see what it does without any other program. */
const searchPath = process.env.MUSTER_TEST_PATH ?? process.env.PATH ?? "";

export interface DaemonHomeOptions {
  args?: string[];
  env?: Record<string, string>;
  /** A command that runs the daemon, such as `prlimit --nofile=128`. */
  within?: readonly string[];
  /** Where the data lies, if not in the home. */
  dataDirectory?: string;
  /** Whether directories are recorded: most tests have their sessions where this process works, in the whole clone. */
  snapshots?: boolean;
}

/**
 * A data directory and the daemon processes that run on it one after the other. The home is the daemon's HOME and thus
 * every agent's, which is how its processes are told from those of other daemons on the machine.
 */
export class DaemonHome {
  readonly path: string;
  readonly dataDirectory: string;
  readonly #options: DaemonHomeOptions;
  #running: DaemonProcess | undefined;

  static async make(options: DaemonHomeOptions = {}): Promise<DaemonHome> {
    return new DaemonHome(await realpath(await mkdtemp(join(tmpdir(), "muster-server-"))), options);
  }

  private constructor(path: string, options: DaemonHomeOptions) {
    this.path = path;
    this.dataDirectory = options.dataDirectory ?? join(path, "data");
    this.#options = options;
  }

  /** Starts a daemon; resolves when it has said where it listens. */
  async start(): Promise<DaemonProcess> {
    const { args = ["--no-token"], env = {}, within, snapshots = false } = this.#options;
    const flags = snapshots ? [] : ["--no-snapshots"];
    this.#running = new DaemonProcess(
      ["--port", "0", "--data-dir", this.dataDirectory, ...flags, ...args],
      { PATH: searchPath, HOME: this.path, ...env },
      within,
    );
    await this.#running.ready;
    return this.#running;
  }

  /** The processes of agents, of this and of earlier daemons here, the oldest first. */
  agents(): number[] {
    const found = processesWith(`HOME=${this.path}`).filter((pid) => pid !== this.#running?.pid);
    // By age: numbers of processes begin again from below.
    const age = (pid: number) => Number(startTimeOf(pid) ?? Number.POSITIVE_INFINITY);
    return found.sort((one, other) => age(one) - age(other));
  }

  /** The processes of agents that run as another user, whose home is not ours. */
  agentsOf(user: string): number[] {
    return processesWith(`USER=${user}`).filter((pid) => hasLife(pid));
  }

  /** Kills the daemon that runs or is being started. */
  async kill(): Promise<void> {
    await this.#running?.kill("SIGKILL");
  }

  /** Ends whatever still runs and removes everything. */
  async remove(): Promise<void> {
    await this.kill();
    for (const pid of this.agents()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch (error) {
        // It ended by itself after it was listed: it goes with its daemon.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
    await rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}

export class DaemonProcess {
  readonly pid: number;
  /** Resolves with the URL; rejects with what the daemon said when it ended instead. */
  readonly ready: Promise<string>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcess;
  stdout = "";
  stderr = "";
  #api: DaemonApi | undefined;

  constructor(args: string[], env: Record<string, string>, within: readonly string[] = []) {
    const [command = process.execPath, ...rest] = [...within, ...daemon, ...args];
    const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    // Not -1, which stands for every process of the machine.
    this.pid = child.pid ?? Number.NaN;
    this.exited = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ready = new Promise((resolve, reject) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        this.stdout += text;
        const url = /listens on (http:\S+)\n/.exec(this.stdout)?.[1];
        if (url !== undefined) resolve(url);
      });
      void this.exited.then(({ code, signal }) =>
        reject(new Error(`The daemon ended with ${code ?? signal}: ${this.stderr}`)),
      );
    });
    void this.ready.then(
      (url) => {
        this.#api = new DaemonApi(url, this.token);
      },
      () => {},
    );
  }

  get api(): DaemonApi {
    if (this.#api === undefined) throw new Error("The daemon is not ready");
    return this.#api;
  }

  /** For a daemon that was started with a token of our choice, which it does not show. */
  useToken(token: string): void {
    this.#api = new DaemonApi(this.api.baseUrl, token);
  }

  /** As the greeting of a first start shows it. */
  get token(): string | undefined {
    return /shown only this once: (\S+)/.exec(this.stdout)?.[1];
  }

  async kill(signal: NodeJS.Signals) {
    this.#child.kill(signal);
    return this.exited;
  }

  /** The most memory it ever had, in bytes. */
  peakMemory(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }
}

/** Together with the pid it names one process for ever; undefined when there is none, or only its remains. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /^[ZX]/.test(fields[0] ?? "") ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function hasLife(pid: number): boolean {
  return readFileSync(`/proc/${pid}/environ`, "utf8").includes("MUSTER_LIFE=");
}

/** Living processes with this assignment in their environment. */
function processesWith(assignment: string): number[] {
  const wanted = `\0${assignment}\0`;
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      try {
        const environment = `\0${readFileSync(`/proc/${pid}/environ`, "utf8")}\0`;
        return environment.includes(wanted) && startTimeOf(pid) !== undefined;
      } catch {
        return false;
      }
    });
}
