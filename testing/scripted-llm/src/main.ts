import { Command, InvalidArgumentError } from "commander";
import { startRecording } from "./record/record-upstream.ts";
import type { ScriptFailure } from "./record/recorder.ts";
import { startReplay } from "./replay.ts";
import { loadScript } from "./script/load-script.ts";
import { ScriptError } from "./script/script-error.ts";
import { type ScriptedLlm, startScriptedLlm } from "./server.ts";
import { version } from "./version.ts";

/** 0: all went as scripted; 1: the script was not met; 2: bad script, bad arguments, or it could not start. */
const exitCodes = { fine: 0, notMet: 1, unusable: 2 };

interface ListenFlags {
  readonly port: number;
  readonly host: string;
}

interface ServeFlags extends ListenFlags {
  readonly set: Record<string, string>;
  readonly requests?: string;
}

const program = new Command("scripted-llm")
  .description("A model server that follows a script: Anthropic Messages, OpenAI Chat Completions and Responses.")
  .version(version)
  .exitOverride()
  .showHelpAfterError();

listening(program.command("serve"))
  .description("Serve a script (YAML, JSON or a module) until SIGINT or SIGTERM; exit 1 if it was not met")
  .argument("<script>", "the script file")
  .option("--set <name=value>", "value of {{name}} in the script; may be repeated", collect, {})
  .option("--requests <file>", "append every request to this file, one JSON line each, keys taken out")
  .action(async (script: string, flags: ServeFlags) => {
    const { port, host, set, requests } = flags;
    await serveUntilStopped(() => {
      return startScriptedLlm({ script, port, host, variables: set, requestLog: requests, onFailure: report });
    });
  });

listening(program.command("replay"))
  .description("Serve a recording again, byte for byte, until SIGINT or SIGTERM")
  .argument("<recording>", "a file written by record, or a folder of exchanges written by sandbox-daemon's gateway")
  .action(async (file: string, { port, host }: ListenFlags) => {
    await serveUntilStopped(() => startReplay({ file, port, host, onFailure: report }));
  });

listening(program.command("record"))
  .description("Pass requests on to a real model service and write what it said as a script, keys taken out")
  .requiredOption("--upstream <url>", "the service, e.g. https://api.anthropic.com", parseUrl)
  .requiredOption("--out <file>", "the script to write (.yaml or .json)")
  .action(async ({ port, host, upstream, out }: ListenFlags & { upstream: string; out: string }) => {
    const recorder = await startRecording({ upstream, file: out, port, host });
    print(`scripted-llm records on ${recorder.url}`);
    await stopSignal();
    await recorder.close();
    print(`${recorder.recorded()} exchanges recorded to ${out}`);
    if (recorder.leftOut() > 0)
      printError(`${recorder.leftOut()} exchanges were left out: too large, or in an encoding unknown here`);
  });

program
  .command("check")
  .description("Read a script and say what is wrong with it")
  .argument("<script>", "the script file")
  .action(async (file: string) => {
    const { conversations } = await loadScript(file);
    const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
    print(`${file}: ok, conversations: ${conversations.length}, turns: ${turns}`);
  });

// No await at the top: the bundle is CommonJS.
program.parseAsync().catch((error: unknown) => {
  process.exitCode = codeFor(error);
});

function listening(command: Command): Command {
  return command
    .option("--port <number>", "port to listen on; 0 takes a free one", parsePort, 0)
    .option("--host <address>", "address to listen on", "127.0.0.1");
}

async function serveUntilStopped(start: () => Promise<ScriptedLlm>): Promise<void> {
  const server = await start();
  print(`scripted-llm listens on ${server.url}`);
  await stopSignal();
  await server.close();
  const failures = server.failures();
  print(`requests: ${server.requests().length}, failures: ${failures.length}`);
  if (failures.length > 0) process.exitCode = exitCodes.notMet;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function report({ requestNumber, conversation, turn, message }: ScriptFailure): void {
  const place = conversation === undefined ? "" : `${conversation}, turn ${turn}: `;
  printError(`request ${requestNumber}: ${place}${message}`);
}

function codeFor(error: unknown): number {
  // Commander has printed its own message; --help is no error.
  if (error instanceof Error && "exitCode" in error) return error.exitCode === 0 ? exitCodes.fine : exitCodes.unusable;
  printError(
    error instanceof ScriptError || isSystemError(error) ? error.message : String((error as Error).stack ?? error),
  );
  return exitCodes.unusable;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("expected a number from 0 to 65535");
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("expected an http or https URL");
}

function collect(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^(\w+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("expected name=value");
  return { ...before, [name]: value };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
