import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { Failure } from "@muster/schema/wire";
import type { Daemon, DaemonOptions } from "@muster/server";
import { StartError, UsageError } from "../environment/exit.ts";
import { endpointFile, readKept } from "../environment/kept-files.ts";
import { removeProcessFile, writeProcessFile } from "../environment/process-file.ts";
import { greeting } from "./greeting.ts";

/** How long a second signal waits for the end of what it has killed. */
const killMs = 5_000;

/**
 * Runs the daemon until a signal asks it to stop, or until the input ends that it was given to watch; a second signal
 * kills what is still there and leaves.
 */
export async function serve(options: DaemonOptions, stdout: Writable, watched?: Readable): Promise<void> {
  const signal = stopSignal(() => daemon);
  const stopped = watched === undefined ? signal : Promise.race([signal, endOf(watched)]);
  let daemon: Daemon | undefined;
  // Only here: client commands must not pay for loading the server.
  const { startDaemon, hideKeys } = await import("@muster/server");
  const { env } = hideKeys(options.env ?? process.env);
  daemon = await startDaemon({ ...options, env }).catch((error: unknown) => {
    throw explain(error, options);
  });
  await writeProcessFile(options.dataDirectory);
  stdout.write(greeting(daemon, options.defaultDirectory));
  await stopped;
  await removeProcessFile(options.dataDirectory);
  await daemon.close();
  stdout.write("sandbox-daemon has stopped; its sessions are kept\n");
}

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

function stopSignal(running: () => Daemon | undefined): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of stopSignals) {
      process.on(signal, () => {
        if (asked) void killAndExit(running(), 128 + constants.signals[signal]);
        asked = true;
        resolve();
      });
    }
  });
}

/** The system closes the input of a child with the last process that could write to it, however that one ended. */
function endOf(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "error", "close"]) input.once(event, () => resolve());
    input.resume();
  });
}

async function killAndExit(daemon: Daemon | undefined, code: number): Promise<void> {
  // What survives even SIGKILL is killed at the next start; nobody is kept waiting for it.
  setTimeout(() => process.exit(code), killMs).unref();
  await daemon?.kill().catch(() => undefined);
  process.exit(code);
}

/** What the person who typed the command can do something about, in one line; the rest stays as it is. */
function explain(error: unknown, options: DaemonOptions): unknown {
  if (error instanceof Failure) {
    return error.code === "invalid_request" ? new UsageError(error.message) : new StartError(error.message);
  }
  // By name: the class lives in the engine, which is not ours to import.
  if (error instanceof Error && error.name === "DirectoryInUse") {
    const endpoint = readKept(options.dataDirectory, endpointFile);
    const where = endpoint === undefined ? "" : `sandbox-daemon is already running at ${endpoint}. `;
    return new StartError(`${where}${error.message}; --data-dir takes another`);
  }
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  if (error.code === "EMFILE" || error.code === "ENFILE") {
    return new StartError("this process may open too few files; raise the limit, for example: ulimit -n 4096");
  }
  if (error.code === "EROFS" || error.code === "EACCES") {
    const why = error.code === "EROFS" ? "is on a read-only disk" : "cannot be written by this user";
    const isPort = "port" in error && Number(error.port) > 0;
    if (!isPort) {
      return new StartError(`the data directory ${options.dataDirectory} ${why}; --data-dir takes another`);
    }
  }
  const { host, port } = options;
  const isTaken = error.code === "EADDRINUSE";
  return new StartError(isTaken ? `port ${port} on ${host} is already in use; --port takes another` : error.message);
}
