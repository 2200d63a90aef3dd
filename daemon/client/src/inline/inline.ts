import { startInline } from "@muster/server";
import { clientOf } from "../client.ts";
import { type CallerOptions, createCaller } from "../create-caller.ts";
import { SandboxDaemon } from "../sandbox-daemon.ts";
import { inlineConnection } from "./inline-connection.ts";

/** Written out, and not taken from the server: a released client has the server's code inside, without its types. */
export interface InlineOptions extends CallerOptions {
  /** Sessions are kept here. Nobody else has it until this daemon is closed. */
  dataDirectory: string;
  /** When an event is safe: written and synced in groups (`batch`), one by one (`sync`), or when the system likes. */
  durability?: "batch" | "sync" | "none" | undefined;
  /** Whether the agents' own messages are kept beside the events; true by default. */
  keepRaw?: boolean | undefined;
  /** Whether the directories of sessions are recorded, so that files can be rewound; by default they are not. */
  snapshots?: boolean | undefined;
  /** Sessions nobody has used for so many days are removed; by default none is. */
  retainDays?: number | undefined;
  /** What is told on standard error; `warn` by default. */
  logLevel?: "debug" | "info" | "warn" | "error" | "silent" | undefined;
  /** Where agents work when a session does not say; the directory of this process by default. */
  defaultDirectory?: string | undefined;
  /** Agents run as this user; only root can do that. */
  agentUser?: string | undefined;
  /** What of processes and terminals is offered; everything by default. */
  sandbox?: { processes?: boolean | undefined; terminals?: boolean | undefined; ports?: boolean | undefined };
  /** Directories under which clients may reach files; those of the sessions by default. */
  roots?: readonly string[] | undefined;
  /** Clients reach no files at all. */
  noFiles?: boolean | undefined;
  /** How agents reach their models through the daemon; false gives them the keys themselves. */
  gateway?:
    | false
    | {
        port?: number;
        routesFile?: string;
        routes?: readonly string[];
        keyCommand?: string;
        budgetUsd?: number;
        unpriced?: "refuse" | "allow";
        record?: boolean;
      }
    | undefined;
  /** Where agents are installed from: for each its only sources, and a mirror that is asked instead of the vendors. */
  install?: {
    sources?: Record<string, ({ kind: "vendor" } | { kind: "npm" } | { kind: "file"; path: string })[]>;
    mirror?: string;
  };
  /** The environment of the daemon and its agents; that of this process by default. */
  env?: NodeJS.ProcessEnv | undefined;
}

/** The daemon in this process: no port, no server, the same API. */
export async function inline({ reconnect, timeoutMs, ...options }: InlineOptions): Promise<SandboxDaemon> {
  const { durability = "batch", keepRaw = true, logLevel = "warn" } = options;
  const daemon = await startInline({ ...options, durability, keepRaw, logLevel });
  const client = clientOf(createCaller(inlineConnection(daemon), { reconnect, timeoutMs }));
  return new SandboxDaemon(client, () => daemon.close());
}
