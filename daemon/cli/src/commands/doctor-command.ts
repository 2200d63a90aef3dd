import { resolve } from "node:path";
import { Failure } from "@muster/schema";
import { Command, Option } from "commander";
import { dataDirectoryOf } from "../default-places.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { exitCodes, type Outcome, StartError } from "../environment/exit.ts";
import { chosenFormat, type FormatChoice, formatOption, jsonOption } from "../fields/format-options.ts";
import { doctorText } from "../text/doctor-text.ts";
import { keysText } from "../text/keys-text.ts";

/** `doctor`: looks at a data directory that no daemon uses. */
export function doctorCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = new Command("doctor")
    .description("Checks the files of a data directory while no daemon runs on it")
    .addOption(new Option("--data-dir <path>", "where sessions are kept").default(dataDirectoryOf(environment)))
    .addOption(new Option("--repair", "does what a start would do, and keeps whatever it cuts off"))
    .addOption(formatOption("text, or the whole report as JSON"))
    .addOption(jsonOption())
    .addHelpText("after", examples);
  return command.action(async () => {
    const { dataDir, repair, ...given } = command.opts<{ dataDir: string; repair?: boolean } & FormatChoice>();
    // A report is for a person also in a pipe.
    const isJson = chosenFormat(given, { isTTY: true }) === "json";
    // Only here: client commands must not pay for loading the server.
    const { examineDirectory, localCredentials, canHideKeys } = await import("@muster/server");
    const report = await examineDirectory(resolve(dataDir), { repair }).catch((error: unknown) => {
      throw explain(error);
    });
    const { env, home, stdout } = environment;
    const found = await localCredentials(env, home);
    const credentials = found.map(({ agent, provider, source }) => ({ agent, provider, source }));
    const keys = { credentials, isErasable: canHideKeys(), isRoot: process.getuid?.() === 0 };
    stdout.write(isJson ? `${JSON.stringify({ ...report, keys })}\n` : `${keysText(keys)}${doctorText(report)}`);
    if (!report.ok) outcome.code = exitCodes.problem;
  });
}

/** Nothing was looked at, for a reason the person can do something about. */
function explain(error: unknown): unknown {
  const isTold = error instanceof Failure || (error instanceof Error && error.name === "DirectoryInUse");
  return isTold ? new StartError(error.message) : error;
}

const examples = `
Exit codes: 0 nothing is wrong (with --repair: or everything that can be mended was), 1 something is.

Examples:
  sandbox-daemon doctor
  sandbox-daemon doctor --repair --json --data-dir /var/lib/muster
`;
