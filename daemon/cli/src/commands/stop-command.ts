import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isProcessAlive, sendSignal } from "@muster/node";
import { Command, Option } from "commander";
import { dataDirectoryOf } from "../default-places.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { exitCodes, type Outcome, StartError } from "../environment/exit.ts";
import { endpointFile, readKept } from "../environment/kept-files.ts";
import { servingProcess } from "../environment/process-file.ts";
import { chosenFormat, formatOption, jsonOption } from "../fields/format-options.ts";

/** Longer than a daemon takes for its agents. */
const stopMs = 30_000;
const lookMs = 50;

/** `stop`: ends the daemon of a data directory as Ctrl-C at its terminal would, and waits for its end. */
export function stopCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = new Command("stop")
    .description("Stops the daemon on this machine: turns are ended, agents too; sessions are kept")
    .addOption(new Option("--data-dir <path>", "which daemon").default(dataDirectoryOf(environment)))
    .addOption(formatOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExit codes: 0 it has stopped, 3 none was running.\n\nExamples:\n  sandbox-daemon stop\n");
  return command.action(async () => {
    const given = command.opts();
    const dataDirectory = resolve(given.dataDir);
    const pid = await stopDaemon(dataDirectory);
    const isJson = chosenFormat(given, environment.stdout) === "json";
    const text =
      pid === undefined ? `no daemon runs on ${dataDirectory}` : `process ${pid} has stopped; its sessions are kept`;
    environment.stdout.write(isJson ? `${JSON.stringify({ stopped: pid !== undefined, pid })}\n` : `${text}\n`);
    if (pid === undefined) outcome.code = exitCodes.cannotConnect;
  });
}

/** The process that is gone now; undefined when there was none. */
async function stopDaemon(dataDirectory: string): Promise<number | undefined> {
  const serving = servingProcess(dataDirectory);
  if (serving === undefined) {
    const endpoint = readKept(dataDirectory, endpointFile);
    // A file that a killed daemon left behind: nobody answers there.
    const answer =
      endpoint && (await fetch(`${endpoint}/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined));
    if (!answer) return undefined;
    throw new StartError(`the daemon at ${endpoint} belongs to another command (run, chat, acp) and ends with it`);
  }
  const { pid, startTime } = serving;
  sendSignal(pid, "SIGTERM");
  for (const end = Date.now() + stopMs; isProcessAlive(pid, startTime); ) {
    if (Date.now() > end)
      throw new StartError(`process ${pid} has not stopped within ${stopMs / 1_000} s; see its log`);
    await pause(lookMs);
  }
  return pid;
}
