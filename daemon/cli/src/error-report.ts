import { ConnectionFailure } from "@muster/client";
import { Failure } from "@muster/schema/wire";
import { CommanderError } from "commander";
import { exitCodes, type Format, StartError, UsageError } from "./environment/exit.ts";
import { commandWords, connectionWords } from "./remedies.ts";
import { printable } from "./text/printable.ts";

/** The only place that knows exit codes: what to tell for an error, and the code to end with. */
export function reportOf(error: unknown, format: Format): { code: number; text: string } {
  if (error instanceof CommanderError) {
    // Commander has written its message or the help already.
    return { code: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, text: "" };
  }
  if (error instanceof UsageError) return { code: exitCodes.usage, text: `error: ${printable(error.message)}\n` };
  if (error instanceof StartError) return { code: exitCodes.problem, text: `error: ${oneLine(error.message)}\n` };
  if (error instanceof Failure) {
    const { status, code } = error.toProblem();
    const line =
      format === "json"
        ? JSON.stringify(error.toProblem())
        : `error: ${oneLine(commandWords(error))} (${status} ${code})`;
    return { code: exitCodes.problem, text: `${line}\n` };
  }
  if (error instanceof ConnectionFailure) {
    const { message: detail } = error;
    const line =
      format === "json"
        ? JSON.stringify({ code: "cannot_connect", detail })
        : `error: ${oneLine(connectionWords(error))}`;
    return { code: exitCodes.cannotConnect, text: `${line}\n` };
  }
  return { code: exitCodes.problem, text: `${error instanceof Error ? error.stack : String(error)}\n` };
}

function oneLine(text: string): string {
  return printable(text).replaceAll("\n", " ");
}
