import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "@muster/client";
import type { Daemon } from "@muster/server";
import { dataDirectoryOf, defaultHost } from "../default-places.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { type ConnectionOptions, connectTo } from "../environment/connection.ts";
import { StartError } from "../environment/exit.ts";
import { endpointFile, readKept } from "../environment/kept-files.ts";
import { isLoopback } from "../environment/loopback.ts";

export interface OpenDaemon {
  endpoint: string;
  /** A client of it; with a fetch of its own where somebody wants to watch. */
  connect(fetch?: typeof globalThis.fetch): Client;
  /** True for a daemon in this process, which ends with it. */
  isOwn: boolean;
  /** Lets a daemon of our own go; it stays as long as another command follows events through it. */
  close(onWait?: () => void, signal?: AbortSignal): Promise<void>;
  /** The same at once, with every agent killed. */
  kill(): Promise<void>;
}

export interface OpenDaemonOptions extends ConnectionOptions {
  dataDir?: string;
}

/** The daemon that was named, or the one that runs on this machine, or one in this process. */
export async function openDaemon(options: OpenDaemonOptions, environment: CommandEnvironment): Promise<OpenDaemon> {
  const { env } = environment;
  const named = options.endpoint ?? (env.SANDBOX_DAEMON_ENDPOINT || undefined);
  if (named !== undefined) return other(named, options, environment);
  const dataDirectory = resolve(options.dataDir ?? dataDirectoryOf(environment));
  const running = await runningDaemon(dataDirectory);
  if (running !== undefined) return other(running, options, environment, dataDirectory);
  try {
    return ownDaemon(await startOwn(dataDirectory, environment));
  } catch (error) {
    // By name: the class lives in the engine, which is not ours to import.
    if (!(error instanceof Error) || error.name !== "DirectoryInUse") throw error;
    return other(await startingDaemon(dataDirectory), options, environment, dataDirectory);
  }
}

function other(
  endpoint: string,
  options: ConnectionOptions,
  environment: CommandEnvironment,
  dataDirectory?: string,
): OpenDaemon {
  const connect = (fetch?: typeof globalThis.fetch) =>
    connectTo(endpoint, options, environment, {
      dataDirectory,
      fetch,
      reconnect: isLoopback(endpoint) ? onThisMachine : undefined,
    });
  return { connect, endpoint, isOwn: false, close: async () => {}, kill: async () => {} };
}

/** A daemon of this machine that does not answer has gone: whoever sits there is told at once. */
const onThisMachine = { attempts: 3, firstDelayMs: 100, maxDelayMs: 200 };

async function startOwn(dataDirectory: string, environment: CommandEnvironment): Promise<Daemon> {
  // Only here: client commands must not pay for loading the server.
  const { startDaemon, hideKeys } = await import("@muster/server");
  const env = { ...environment.env };
  const daemon = await startDaemon({
    host: defaultHost,
    port: 0,
    token: env.SANDBOX_DAEMON_TOKEN || undefined,
    dataDirectory,
    durability: "batch",
    keepRaw: true,
    snapshots: true,
    logLevel: "error",
    corsOrigins: [],
    allowedHosts: [],
    defaultDirectory: environment.directory,
    env,
  });
  // Only now: one that could not be started leaves them to the client of another.
  hideKeys(environment.env);
  return daemon;
}

const lookMs = 250;

function ownDaemon(daemon: Daemon): OpenDaemon {
  return {
    connect: (fetch) => createClient({ endpoint: daemon.url, token: daemon.token, fetch }),
    endpoint: daemon.url,
    isOwn: true,
    async close(onWait, signal) {
      if (daemon.openStreams() > 0) onWait?.();
      // An aborted wait is the wish to leave at once.
      while (daemon.openStreams() > 0 && !signal?.aborted) await pause(lookMs, undefined, { signal }).catch(() => {});
      await daemon.close();
    },
    kill: () => daemon.kill(),
  };
}

/** The address of a daemon that has this data directory and answers. */
async function runningDaemon(dataDirectory: string): Promise<string | undefined> {
  const endpoint = readKept(dataDirectory, endpointFile);
  if (endpoint === undefined) return undefined;
  // A file that a killed daemon left behind: whatever is the matter, that one is not running.
  const answer = await fetch(`${endpoint}/health`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  return answer?.ok === true ? endpoint : undefined;
}

const startAttempts = 40;

/** Another command has the directory and is about to say where it listens. */
async function startingDaemon(dataDirectory: string): Promise<string> {
  for (let attempt = 0; attempt < startAttempts; attempt++) {
    const endpoint = await runningDaemon(dataDirectory);
    if (endpoint !== undefined) return endpoint;
    await pause(lookMs);
  }
  throw new StartError(`another daemon has ${dataDirectory} and does not answer; --data-dir takes another`);
}
