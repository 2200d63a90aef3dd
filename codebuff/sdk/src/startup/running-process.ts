import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseJson } from "@muster/core";
import { signalGroup, startTimeOf } from "@muster/node";
import { z } from "zod";
import type { ExitGuard } from "../exit-guard.ts";
import type { StartupProcess } from "../load/project-config.ts";

/** How long a process may take to end by itself. */
const politeMs = 2_000;
const pollMs = 20;

const ProcessRecord = z.object({ pid: z.int().min(2), started: z.string() });

interface Surroundings {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly guard: ExitGuard;
  /** Where is written which process it is, for whoever comes after a crash. */
  readonly record: string;
}

/** A process of the project with its output in files. It does not keep our process alive. */
export class RunningProcess {
  readonly #child: ChildProcess;
  readonly #record: string;
  readonly #ended: Promise<void>;
  /** How it ended, when that was not what anybody wanted. */
  failure: string | undefined;
  #isRunning = true;

  private constructor(child: ChildProcess, name: string, { record, guard }: Surroundings) {
    this.#child = child;
    this.#record = record;
    const forget = guard.add(() => this.signal("SIGTERM"));
    this.#ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#isRunning = false;
        forget();
        if (code !== 0) this.failure = `The start-up process ${name} has ended with ${signal ?? `code ${code}`}`;
        resolve();
      });
    });
  }

  static async start(
    { name, command, cwd = ".", stdoutFile, stderrFile }: StartupProcess,
    surroundings: Surroundings,
  ): Promise<RunningProcess> {
    const { root, env, record } = surroundings;
    const files: FileHandle[] = [];
    const openOutput = async (path: string | undefined): Promise<number | "ignore"> => {
      if (path === undefined) return "ignore";
      const full = resolve(root, path);
      await mkdir(dirname(full), { recursive: true });
      const file = await open(full, "w");
      files.push(file);
      return file.fd;
    };
    try {
      const stdio = ["ignore", await openOutput(stdoutFile), await openOutput(stderrFile)] as const;
      const child = spawn(command, {
        shell: true,
        cwd: resolve(root, cwd),
        env,
        stdio: [...stdio],
        detached: process.platform !== "win32",
      });
      await new Promise<void>((started, failed) => child.once("spawn", started).once("error", failed));
      const one = new RunningProcess(child, name, surroundings);
      child.unref();
      writeRecord(record, child.pid);
      return one;
    } finally {
      await Promise.all(files.map((file) => file.close()));
    }
  }

  signal(signal: NodeJS.Signals): void {
    signalGroup(this.#child.pid, signal);
  }

  async end(): Promise<void> {
    if (this.#isRunning) {
      this.#child.ref();
      this.signal("SIGTERM");
      const enough = new AbortController();
      const late = setTimeout(politeMs, undefined, { signal: enough.signal }).then(
        () => this.signal("SIGKILL"),
        () => undefined,
      );
      await this.#ended;
      enough.abort();
      await late;
      // What the shell had started may have stayed behind.
      this.signal("SIGKILL");
    }
    await unlink(this.#record).catch(() => undefined);
  }
}

/** Ends the process of a record, if it is still that process. The caller holds the record's lock. */
export async function endRecorded(record: string): Promise<void> {
  const text = await readFile(record, "utf8").catch(() => undefined);
  if (text === undefined) return;
  // A record that was cut by a crash names no process.
  const known = ProcessRecord.safeParse(parseJson(text)).data;
  if (known !== undefined && startTimeOf(known.pid) === known.started) {
    signalGroup(known.pid, "SIGTERM");
    const until = Date.now() + politeMs;
    while (startTimeOf(known.pid) === known.started && Date.now() < until) await setTimeout(pollMs);
    signalGroup(known.pid, "SIGKILL");
  }
  await unlink(record).catch(() => undefined);
}

/** Without a start time the number alone could name somebody else's process later: nothing is recorded. */
function writeRecord(path: string, pid: number | undefined): void {
  const started = pid === undefined ? undefined : startTimeOf(pid);
  // At once, not at the next turn of the loop: a crash in between would leave a process nobody knows.
  if (started !== undefined) writeFileSync(path, JSON.stringify({ pid, started }), { mode: 0o600 });
}
