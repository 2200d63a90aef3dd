import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ModelGateway } from "@muster/schema";
import type { InstallSettings } from "./install/release/settings.ts";
import type { SharedServers } from "./shared-server/shared-servers.ts";

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
  /** Gives placeholders in place of keys; without it agents get the keys themselves. */
  readonly gateway?: ModelGateway | undefined;
  /** Whom agents run as, when that is not the daemon's own user. */
  readonly user?: AgentUser | undefined;
  readonly install?: InstallSettings;
  /** Takes every known secret out of a text that is going to be written. */
  readonly redact: (text: string) => string;
  readonly log: (level: "debug" | "info" | "warn" | "error", message: string, fields?: Record<string, unknown>) => void;
}

export interface AgentUser {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

/** A folder of its own for one agent in the data directory, which the agent can write to. */
export async function agentFolder({ dataDirectory, user }: AgentHost, name: string): Promise<string> {
  const folder = join(dataDirectory, "homes", name);
  await mkdir(folder, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}
