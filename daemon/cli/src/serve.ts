import { constants } from "node:os";
import type { Writable } from "node:stream";
import { Failure } from "@muster/schema";
import type { DaemonOptions } from "@muster/server";
import { StartError, UsageError } from "./exit.ts";
import { greeting } from "./greeting.ts";

/** Runs the daemon until a signal asks it to stop; a second signal does not wait for its end. */
export async function serve(options: DaemonOptions, stdout: Writable): Promise<void> {
  const stopped = stopSignal();
  // Only here: client commands must not pay for loading the server.
  const { startDaemon } = await import("@muster/server");
  const daemon = await startDaemon(options).catch((error: unknown) => {
    throw explain(error, options);
  });
  stdout.write(greeting(daemon));
  await stopped;
  await daemon.close();
}

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of stopSignals) {
      process.on(signal, () => {
        if (asked) process.exit(128 + constants.signals[signal]);
        asked = true;
        resolve();
      });
    }
  });
}

/** What the person who typed the command can do something about, in one line; the rest stays as it is. */
function explain(error: unknown, { host, port }: DaemonOptions): unknown {
  if (error instanceof Failure) {
    return error.code === "invalid_request" ? new UsageError(error.message) : new StartError(error.message);
  }
  // By name: the class lives in the engine, which is not ours to import.
  if (error instanceof Error && error.name === "DirectoryInUse") {
    return new StartError(`${error.message}; --data-dir takes another`);
  }
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  if (error.code === "EMFILE" || error.code === "ENFILE") {
    return new StartError("this process may open too few files; raise the limit, for example: ulimit -n 4096");
  }
  const isTaken = error.code === "EADDRINUSE";
  return new StartError(isTaken ? `port ${port} on ${host} is already in use; --port takes another` : error.message);
}
