import { Option } from "commander";
import type { Format } from "../environment/exit.ts";

/** `--json` means one thing in every command: what is written is JSON, also on a terminal. */
export function jsonOption(): Option {
  return new Option("--json", "the same as --format json");
}

export function formatOption(about = "text on a terminal, JSON otherwise"): Option {
  return new Option("--format <format>", about).choices(["text", "json"]);
}

export interface FormatChoice {
  format?: Format;
  json?: boolean;
}

/** What was chosen; where nothing was, a person reads a terminal and a program everything else. */
export function chosenFormat({ format, json }: FormatChoice, { isTTY }: { isTTY?: boolean }): Format {
  if (json) return "json";
  return format ?? (isTTY === true ? "text" : "json");
}

/** `--json '{…}'`, `--json @file` and `--json -` were the body of a request once, and still are. */
export function withBodyOption(args: readonly string[]): string[] {
  return args.map((arg, at) => {
    if (/^--json=./.test(arg)) return arg.replace("--json", "--body");
    return arg === "--json" && /^([{[@]|-$)/.test(args[at + 1] ?? "") ? "--body" : arg;
  });
}
