import { type ChildProcess, spawn as start } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createClient } from "../client.ts";
import type { CallerOptions } from "../create-caller.ts";
import { SandboxDaemon } from "../sandbox-daemon.ts";
import { SpawnFailure } from "./spawn-failure.ts";

export interface SpawnOptions extends CallerOptions {
  /** The program and its first arguments; MUSTER_DAEMON, or the `sandbox-daemon` on the PATH, by default. */
  command?: readonly [string, ...string[]] | undefined;
  /** Where sessions are kept; by default where the command keeps them. */
  dataDirectory?: string | undefined;
  /** Further options of `sandbox-daemon serve`. */
  args?: readonly string[] | undefined;
  /** Its environment; that of this process by default. */
  env?: NodeJS.ProcessEnv | undefined;
  /** A new one by default. */
  token?: string | undefined;
  /** What starting may take. */
  startMs?: number | undefined;
  /** Ends the starting with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A daemon of this process's own; others reach it by its endpoint and token. */
export class SpawnedDaemon extends SandboxDaemon {
  /** Where it listens. */
  readonly endpoint: string;
  /** Its token. */
  readonly token: string;
  /** The id of its process. */
  readonly pid: number;

  constructor(
    child: ChildProcess,
    { endpoint, token, reconnect, timeoutMs }: { endpoint: string; token: string } & CallerOptions,
  ) {
    super(createClient({ endpoint, token, reconnect, timeoutMs }), () => stopProcess(child));
    this.endpoint = endpoint;
    this.token = token;
    this.pid = child.pid ?? 0;
  }
}

/** What stopping may take before the process is killed. */
const stopMs = 15_000;
/** A first start on a busy machine loads everything from disk. */
const defaultStartMs = 60_000;
const keptChars = 64 * 1024;

/** Starts a daemon on a free port and stops it with `close()`, at the latest with this process, however that ends. */
export async function spawn(options: SpawnOptions = {}): Promise<SpawnedDaemon> {
  const { env = process.env, args = [], dataDirectory, reconnect, timeoutMs } = options;
  const [program, ...first] = options.command ?? [env.MUSTER_DAEMON || "sandbox-daemon"];
  // By the environment, which other users cannot read as they can a command line.
  const { token = randomBytes(24).toString("hex") } = options;
  const where = dataDirectory === undefined ? [] : ["--data-dir", dataDirectory];
  const serve = ["serve", "--port", "0", "--until-stdin-ends", "--log-level", "warn", ...where, ...args];
  const child = start(program, [...first, ...serve], {
    env: { ...env, SANDBOX_DAEMON_TOKEN: token },
    stdio: ["pipe", "pipe", "pipe"],
  });
  try {
    const endpoint = await endpointOf(child, program, options);
    letGo(child);
    return new SpawnedDaemon(child, { endpoint, token, reconnect, timeoutMs });
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

/** Where it says that it listens. */
function endpointOf(child: ChildProcess, program: string, { startMs = defaultStartMs, signal, command }: SpawnOptions) {
  return new Promise<string>((resolve, reject) => {
    let greeting = "";
    let said = "";
    const fail = (reason: string) => reject(new SpawnFailure(`${program} did not start: ${reason}`));
    const timer = setTimeout(() => fail(`it did not listen within ${startMs} ms`), startMs);
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    child.once("error", (error) => fail(error.message + adviceOn(error, command)));
    child.once("close", (code, killed) => fail(said.trim() || greeting.trim() || `it ended with ${killed ?? code}`));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-keptChars);
    });
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      greeting += text;
      const [, url] = /listens on (\S+)\n/.exec(greeting) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(url);
    });
    child.once("close", () => clearTimeout(timer));
  });
}

/** What is to be done where nobody named a program and there is none. */
function adviceOn({ code }: NodeJS.ErrnoException, command: SpawnOptions["command"]): string {
  if (code !== "ENOENT" || command !== undefined) return "";
  return "; install @muster/sandbox-daemon, say where its program is (`command`, MUSTER_DAEMON), or take @muster/client/inline";
}

/** A program that is done ends although its daemon still runs: the end of our side of its stdin tells it to stop. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of child.stdio) (pipe as { unref?: () => void } | null)?.unref?.();
  // A daemon that has ended already needs no telling.
  child.stdin?.on("error", () => {});
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await ended;
  clearTimeout(timer);
}
