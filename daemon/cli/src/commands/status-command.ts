import { resolve } from "node:path";
import { ConnectionFailure } from "@muster/client";
import { Command, Option } from "commander";
import { dataDirectoryOf } from "../default-places.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { connectTo, endpointOf } from "../environment/connection.ts";
import { exitCodes, type Outcome } from "../environment/exit.ts";
import { endpointFile, readKept } from "../environment/kept-files.ts";
import { logFileOf } from "../environment/log-file.ts";
import { isLoopback } from "../environment/loopback.ts";
import { servingProcess } from "../environment/process-file.ts";
import { chosenFormat, formatOption, jsonOption } from "../fields/format-options.ts";
import { shortPath } from "../text/list-text.ts";
import { relativeTime } from "../text/relative-time.ts";

/** `status`: whether a daemon runs, where, and what it is busy with. Exit code 3 when there is none. */
export function statusCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = new Command("status")
    .description("Tells whether a daemon runs, where, and how many sessions work or wait for a person")
    .addOption(new Option("--data-dir <path>", "of the daemon on this machine").default(dataDirectoryOf(environment)))
    .addOption(
      new Option("--endpoint <url>", "another daemon; default: SANDBOX_DAEMON_ENDPOINT, or the one that runs here"),
    )
    .addOption(new Option("--token <token>", "the daemon's token; default: as for every other command"))
    .addOption(formatOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExit codes: 0 it runs, 3 it does not.\n\nExamples:\n  sandbox-daemon status\n");
  return command.action(async () => {
    const given = command.opts();
    const { stdout, env } = environment;
    const status = await statusOf(resolve(given.dataDir), given, environment);
    const isJson = chosenFormat(given, stdout) === "json";
    stdout.write(isJson ? `${JSON.stringify(status)}\n` : statusText(status, env.HOME));
    if (!status.running) outcome.code = exitCodes.cannotConnect;
  });
}

interface Status {
  running: boolean;
  endpoint?: string;
  pid?: number;
  version?: string;
  startedAt?: string;
  sessions?: { waiting: number; running: number };
  dataDirectory?: string;
  logFile?: string;
}

async function statusOf(
  dataDirectory: string,
  options: { endpoint?: string; token?: string },
  environment: CommandEnvironment,
): Promise<Status> {
  const named = options.endpoint ?? (environment.env.SANDBOX_DAEMON_ENDPOINT || undefined);
  const endpoint = named ?? readKept(dataDirectory, endpointFile) ?? endpointOf(options, environment);
  const isLocal = named === undefined && isLoopback(endpoint);
  const local = isLocal ? { dataDirectory, logFile: logFileOf(dataDirectory) } : {};
  const client = connectTo(endpoint, options, environment, { dataDirectory, reconnect: { attempts: 0 } });
  try {
    const [{ version, startedAt }, waiting, running] = await Promise.all([
      client.info(),
      client.sessions.list({ state: "waiting", limit: mostListed }),
      client.sessions.list({ state: "running", limit: mostListed }),
    ]);
    const sessions = { waiting: waiting.sessions.length, running: running.sessions.length };
    const pid = isLocal ? servingProcess(dataDirectory)?.pid : undefined;
    return { running: true, endpoint, pid, version, startedAt, sessions, ...local };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    return { running: false, ...local };
  }
}

const mostListed = 1_000;

function statusText(status: Status, home: string | undefined): string {
  const { running, endpoint, pid, version, startedAt = "", sessions, dataDirectory, logFile } = status;
  const places = dataDirectory === undefined ? [] : [`data:     ${shortPath(dataDirectory, home)}`];
  if (logFile !== undefined) places.push(`log:      ${shortPath(logFile, home)}`);
  if (!running) return ["no daemon runs; start one: sandbox-daemon", ...places, ""].join("\n");
  const since = `${pid === undefined ? "" : `process ${pid}, `}started ${relativeTime(startedAt, Date.now())}`;
  const { waiting = 0, running: working = 0 } = sessions ?? {};
  return [
    `sandbox-daemon ${version} runs at ${endpoint} (${since})`,
    `sessions: ${working} at work, ${waiting} ${waiting === 1 ? "waits" : "wait"} for a person`,
    ...places,
    "",
  ].join("\n");
}
