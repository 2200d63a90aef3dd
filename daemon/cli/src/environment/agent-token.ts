import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { messageOf } from "@muster/core";
import type { CommandEnvironment } from "./command-environment.ts";
import { UsageError } from "./exit.ts";

export interface TokenSource {
  agentToken?: string;
  agentTokenFile?: string;
}

/** The agent's key: typed, in a file, or from standard input with `-`, where it is in no list of processes. */
export async function agentTokenOf(
  { agentToken, agentTokenFile }: TokenSource,
  { stdin, directory }: Pick<CommandEnvironment, "stdin" | "directory">,
): Promise<string | undefined> {
  if (agentToken !== undefined && agentTokenFile !== undefined) {
    throw new UsageError("give either --agent-token or --agent-token-file, not both");
  }
  if (agentToken !== "-" && agentTokenFile === undefined) return agentToken;
  const fromInput = agentToken === "-" || agentTokenFile === "-";
  const option = agentToken === "-" ? "--agent-token" : "--agent-token-file";
  const token = (fromInput ? await text(stdin) : await fileText(resolve(directory, agentTokenFile ?? ""))).trim();
  if (token !== "") return token;
  throw new UsageError(`${option}: there is no key in ${fromInput ? "standard input" : agentTokenFile}`);
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`--agent-token-file: cannot read it: ${messageOf(error)}`);
  }
}
