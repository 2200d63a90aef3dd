import { open, readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Paint, paintFor } from "@muster/core";
import { Output } from "@muster/node";
import { Command, InvalidArgumentError, Option } from "commander";
import { dataDirectoryOf } from "../default-places.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import type { Outcome } from "../environment/exit.ts";
import { logFileOf, olderLogFileOf } from "../environment/log-file.ts";
import { chosenFormat, formatOption, jsonOption } from "../fields/format-options.ts";
import { printable } from "../text/printable.ts";

const lookMs = 200;

/** `logs`: the log of the daemon on this machine, whether it still runs or not. */
export function logsCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = new Command("logs")
    .description("Shows the log of the daemon on this machine, also after it has ended")
    .addOption(new Option("--data-dir <path>", "which daemon").default(dataDirectoryOf(environment)))
    .addOption(new Option("-n, --lines <number>", "how many of the last lines").argParser(countOf).default(100))
    .addOption(new Option("-f, --follow", "goes on with what is added, until Ctrl-C"))
    .addOption(formatOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExamples:\n  sandbox-daemon logs\n  sandbox-daemon logs --follow\n");
  return command.action(async () => {
    const { dataDir, lines, follow, ...given } = command.opts();
    const { stdout, env } = environment;
    const directory = resolve(dataDir);
    const paint = paintFor(stdout, env);
    const isJson = chosenFormat(given, stdout) === "json";
    const shown = (all: readonly string[]) => all.map((line) => (isJson ? `${line}\n` : logLine(line, paint))).join("");
    const output = new Output(stdout);
    const interrupted = new AbortController();
    const interrupt = () => interrupted.abort();
    if (follow) process.once("SIGINT", interrupt);
    const signal = AbortSignal.any([output.closed, interrupted.signal]);
    const { text, read } = await lastLines(directory, lines);
    await output.write(shown(text));
    if (text.length === 0 && !follow && !isJson) await output.write(`nothing was logged in ${logFileOf(directory)}\n`);
    if (follow) await followFile(logFileOf(directory), read, (all) => output.write(shown(all)), signal);
    process.off("SIGINT", interrupt);
    outcome.code = output.end();
  });
}

/** The end of both files; and how much of the newer one has been read. */
async function lastLines(directory: string, count: number): Promise<{ text: string[]; read: number }> {
  const [older, newer] = await Promise.all(
    [olderLogFileOf(directory), logFileOf(directory)].map((path) => readFile(path).catch(() => Buffer.alloc(0))),
  );
  const text = `${older}${newer}`.split("\n").filter((line) => line !== "");
  return { text: count === 0 ? [] : text.slice(-count), read: newer?.length ?? 0 };
}

/** Gives whole lines as they come. A file that is shorter than what was read has been begun anew. */
async function followFile(
  path: string,
  from: number,
  give: (lines: string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let read = from;
  let rest = "";
  while (!signal.aborted) {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size < read) read = 0;
    if (size > read) {
      const added = await readPart(path, read, size);
      read = size;
      const lines = (rest + added).split("\n");
      rest = lines.pop() ?? "";
      await give(lines);
    }
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

async function readPart(path: string, from: number, to: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.toString();
  } finally {
    await file.close();
  }
}

/** `07:35:00.123 warn  what happened  name=value` */
function logLine(line: string, paint: Paint): string {
  try {
    const { time, level, message, ...fields } = JSON.parse(line);
    const more = Object.entries(fields).map(
      ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    const draw = level === "error" ? paint.red : level === "warn" ? paint.yellow : (text: string) => text;
    const words = `${draw(String(level).padEnd(5))} ${printable(String(message))}`;
    return `${paint.dim(String(time).slice(0, 23))} ${words}${more.length === 0 ? "" : paint.dim(`  ${printable(more.join(" "))}`)}\n`;
  } catch {
    // Not one of ours; shown as it is.
    return `${printable(line)}\n`;
  }
}

function countOf(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Not a number of lines.");
}
