import type { SharedServers } from "./shared-servers.ts";

/** What every adapter needs of the machine it runs on. Made once by the engine. */
export interface AgentHost {
  /** The environment the daemon was started with; agents get an allow-list of it. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Where installed agents and private homes of agents lie. */
  readonly dataDirectory: string;
  /** One file per running process, so that a daemon that crashed finds what it left behind. */
  readonly livesDirectory: string;
  readonly servers: SharedServers;
  readonly log: (level: "debug" | "info" | "warn" | "error", message: string, fields?: Record<string, unknown>) => void;
}
