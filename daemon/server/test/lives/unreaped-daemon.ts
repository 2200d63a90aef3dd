import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { DaemonApi } from "@muster/conformance";

const firstProcess = fileURLToPath(new URL("./first-process.mjs", import.meta.url));
const daemon = fileURLToPath(new URL("../../../cli/bin/sandbox-daemon.cjs", import.meta.url));
const namespace = ["--pid", "--fork", "--kill-child", "--mount-proc"];

/** Whether this machine lets us make a process namespace. */
export const hasNamespaces = spawnSync("unshare", [...namespace, "true"]).status === 0;

/** A daemon where process 1 is a Node program that reaps nobody: killed, it leaves its agents behind as zombies. */
export class UnreapedDaemon {
  readonly path: string;
  readonly #unshare: ChildProcess;
  readonly #addresses: string[] = [];
  #wake: () => void = () => {};
  #api: DaemonApi | undefined;

  static async start(args: readonly string[] = []): Promise<UnreapedDaemon> {
    const started = new UnreapedDaemon(await mkdtemp(join(tmpdir(), "muster-unreaped-")), args);
    await started.#listening();
    return started;
  }

  private constructor(path: string, args: readonly string[]) {
    this.path = path;
    const serve = [process.execPath, daemon, "--port", "0", "--no-token", "--data-dir", join(path, "data"), ...args];
    const child = spawn("unshare", [...namespace, process.execPath, firstProcess, ...serve], {
      env: { PATH: process.env.PATH, HOME: path },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#unshare = child;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /listens on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) this.#addresses.push(url);
      this.#wake();
    });
  }

  get api(): DaemonApi {
    if (this.#api === undefined) throw new Error("The daemon does not listen yet");
    return this.#api;
  }

  /** SIGKILL of the daemon, and at once another one on the same data. */
  async killAndStart(): Promise<DaemonApi> {
    this.#unshare.stdin?.write("again\n");
    await this.#listening();
    return this.api;
  }

  /** The names of the processes that ended and that process 1 never waited for. */
  zombies(): string[] {
    return readdirSync("/proc").flatMap((pid) => {
      const { title, state, parent } = statOf(pid);
      return state === "Z" && statOf(parent).parent === String(this.#unshare.pid) ? [title] : [];
    });
  }

  async remove(): Promise<void> {
    const exited = once(this.#unshare, "exit");
    this.#unshare.stdin?.end();
    await exited;
    await rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }

  async #listening(): Promise<void> {
    while (this.#addresses.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#api = new DaemonApi(this.#addresses.shift() ?? "", undefined);
  }
}

function statOf(pid: string): { title: string; state: string; parent: string } {
  const [, title = "", state = "", parent = ""] = /\((.*)\) (\S) (\d+)/.exec(lineOf(pid)) ?? [];
  return { title, state, parent };
}

function lineOf(pid: string): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  } catch {
    // It ended, and was waited for, between the listing and the look.
    return "";
  }
}
