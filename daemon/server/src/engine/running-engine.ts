import { homedir } from "node:os";
import { resolve } from "node:path";
import {
  Engine,
  type EngineLog,
  type InstallSettings,
  openDataDirectory,
  Redactor,
  secretsInEnvironment,
} from "@muster/engine";
import type { Durability } from "@muster/log";
import { eventFraming } from "../frames/event-frames.ts";
import { version } from "../version.ts";
import { agentUser } from "./agent-user.ts";
import { createLog, type LogLevel } from "./logging.ts";
import { startTelemetry } from "./telemetry.ts";

export interface RunningEngineOptions {
  dataDirectory: string;
  durability: Durability;
  keepRaw: boolean;
  retainDays?: number;
  logLevel: LogLevel;
  /** Where agents work when a session does not say; the directory of this process by default. */
  defaultDirectory?: string;
  /** Agents run as this user; only root can do that. */
  agentUser?: string;
  /** Where agents are installed from. */
  install?: InstallSettings;
  env?: NodeJS.ProcessEnv;
}

export interface RunningEngine {
  engine: Engine;
  log: EngineLog;
  dataDirectory: string;
  /** Sends what was measured; when the engine is closed. */
  endTelemetry(): Promise<void>;
}

/** The engine with its log and telemetry; `secrets` of ours are kept out of everything it writes. */
export async function startEngine(options: RunningEngineOptions, secrets: readonly string[]): Promise<RunningEngine> {
  const user = options.agentUser === undefined ? undefined : agentUser(options.agentUser);
  const env = options.env ?? process.env;
  const redactor = new Redactor([...secretsInEnvironment(env), ...secrets]);
  const log = createLog(options.logLevel, redactor);
  const telemetry = await startTelemetry(env, version);
  const dataDirectory = await openDataDirectory(resolve(options.dataDirectory), log);
  const engine = await Engine.start({
    dataDirectory,
    durability: options.durability,
    keepRaw: options.keepRaw,
    framing: eventFraming,
    retainDays: options.retainDays,
    defaultDirectory: resolve(options.defaultDirectory ?? process.cwd()),
    env,
    home: env.HOME ?? homedir(),
    redactor,
    log,
    tracer: telemetry?.tracer,
    install: options.install,
    agentUser: user,
  }).catch(async (error: unknown) => {
    await telemetry?.close().catch(() => {}); // Nothing was measured.
    throw error;
  });
  return {
    engine,
    log,
    dataDirectory,
    async endTelemetry() {
      await telemetry?.close().catch((error: unknown) => {
        log("warn", "spans could not be sent", { error: String(error) });
      });
    },
  };
}
