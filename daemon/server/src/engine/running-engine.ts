import { homedir } from "node:os";
import { resolve } from "node:path";
import { messageOf } from "@muster/core";
import {
  Engine,
  type EngineLog,
  type InstallSettings,
  openDataDirectory,
  Redactor,
  secretsInEnvironment,
} from "@muster/engine";
import type { Durability } from "@muster/log";
import { Failure } from "@muster/schema/wire";
import { eventFraming } from "../frames/event-frames.ts";
import { Metrics } from "../telemetry/metrics.ts";
import { startTelemetry, type Telemetry } from "../telemetry/start-telemetry.ts";
import { version } from "../version.ts";
import { agentUser } from "./agent-user.ts";
import { LogFile } from "./log-file.ts";
import { createLog, type LogLevel } from "./logging.ts";
import { type GatewaySettings, gatewayStarter, isSetUp } from "./model-gateway.ts";
import { type ProcessSettings, RunningProcesses } from "./running-processes.ts";

export interface RunningEngineOptions {
  dataDirectory: string;
  durability: Durability;
  keepRaw: boolean;
  /** Whether the directories of sessions are recorded, so that files can be rewound; by default they are not. */
  snapshots?: boolean | undefined;
  retainDays?: number;
  logLevel: LogLevel;
  /** Where agents work when a session does not say; the directory of this process by default. */
  defaultDirectory?: string;
  /** Agents run as this user; only root can do that. */
  agentUser?: string;
  /** Directories under which clients may reach files; those of the sessions by default. */
  roots?: readonly string[] | undefined;
  /** Clients reach no files at all. */
  noFiles?: boolean | undefined;
  /** Where agents are installed from. */
  install?: InstallSettings;
  env?: NodeJS.ProcessEnv;
  /** How agents reach their models through the daemon; false gives them the keys themselves. */
  gateway?: GatewaySettings | false;
  /** What of processes and terminals clients may use; everything by default. */
  sandbox?: ProcessSettings;
}

export interface RunningEngine {
  engine: Engine;
  processes: RunningProcesses;
  log: EngineLog;
  dataDirectory: string;
  metrics: Metrics;
  /** undefined where no spans are wanted. */
  tracing: Telemetry["tracing"];
  /** Sends what was measured; when the engine is closed. */
  endTelemetry(): Promise<void>;
}

/** The engine with its log and telemetry; `secrets` of ours are kept out of everything it writes. */
export async function startEngine(options: RunningEngineOptions, secrets: readonly string[]): Promise<RunningEngine> {
  const user = options.agentUser === undefined ? undefined : agentUser(options.agentUser);
  const env = options.env ?? process.env;
  const redactor = new Redactor([...secretsInEnvironment(env), ...secrets]);
  const file = new LogFile(resolve(options.dataDirectory));
  const log = createLog(options.logLevel, redactor, (line) => {
    process.stderr.write(line);
    file.write(line);
  });
  const metrics = new Metrics();
  const telemetry = await startTelemetry(env, version, () => metrics.readAll());
  const { gateway = {} } = options;
  const dataDirectory = await openDataDirectory(resolve(options.dataDirectory), log);
  const defaultDirectory = resolve(options.defaultDirectory ?? process.cwd());
  const engine = await Engine.start({
    dataDirectory,
    durability: options.durability,
    keepRaw: options.keepRaw,
    snapshots: options.snapshots,
    framing: eventFraming,
    retainDays: options.retainDays,
    defaultDirectory,
    env,
    home: env.HOME ?? homedir(),
    redactor,
    log,
    tracer: telemetry.tracer,
    meter: metrics,
    install: options.install,
    agentUser: user,
    startGateway: gateway === false ? undefined : gatewayStarter(gateway, { env, log, dataDirectory, redactor }),
  }).catch(async (error: unknown) => {
    await telemetry.close().catch(() => {}); // Nothing was measured.
    throw error;
  });
  if (gateway !== false && isSetUp(gateway)) {
    await engine.prepareGateway().catch(async (error: unknown) => {
      await engine.close();
      throw new Failure("invalid_request", messageOf(error));
    });
  }
  const { durability, sandbox = {} } = options;
  return {
    engine,
    processes: new RunningProcesses(sandbox, { dataDirectory, defaultDirectory, durability, env, user, log }),
    log,
    dataDirectory,
    metrics,
    tracing: telemetry.tracing,
    async endTelemetry() {
      await telemetry.close().catch((error: unknown) => {
        log("warn", "spans and figures could not be sent", { error: String(error) });
      });
    },
  };
}
