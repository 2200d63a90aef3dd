import { quoteForShell } from "@muster/core";
import type { LocalCredential } from "@muster/server";
import { Command, Option } from "commander";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { chosenFormat, formatOption, jsonOption } from "../fields/format-options.ts";
import { table } from "../text/table.ts";

/** `credentials extract` and `extract-env`: what agents on this machine use, to take it to another. No daemon is asked. */
export function extractCommands(environment: CommandEnvironment): Command[] {
  const extract = new Command("extract")
    .description("The credentials agents on this machine use; the secrets only with --reveal")
    .addOption(revealOption())
    .addOption(formatOption())
    .addOption(jsonOption());
  extract.action(async () => {
    const { reveal, ...given } = extract.opts();
    const format = chosenFormat(given, environment.stdout);
    const found = (await localOnes(environment)).map((credential) => mask(credential, reveal === true));
    const text = table(["agent", "provider", "kind", "source", ...(reveal ? ["secret"] : [])], found);
    environment.stdout.write(format === "text" ? text : `${JSON.stringify({ credentials: found })}\n`);
  });

  const extractEnv = new Command("extract-env")
    .description('The same as lines for a shell: eval "$(sandbox-daemon credentials extract-env --reveal)"')
    .addOption(revealOption());
  extractEnv.action(async () => {
    const { reveal } = extractEnv.opts();
    environment.stdout.write(environmentLines(await localOnes(environment), reveal === true));
  });
  return [extract, extractEnv];
}

function revealOption(): Option {
  return new Option("--reveal", "shows the secrets");
}

async function localOnes({ env, home }: CommandEnvironment): Promise<LocalCredential[]> {
  // Only here: client commands must not pay for loading the server.
  const { localCredentials } = await import("@muster/server");
  return await localCredentials(env, home);
}

function mask({ secret, ...rest }: LocalCredential, reveal: boolean): Omit<LocalCredential, "secret"> {
  return reveal ? ({ ...rest, secret } as LocalCredential) : rest;
}

/** One line per variable; the first that has a value for it wins, and what no variable can carry is a comment. */
function environmentLines(credentials: readonly LocalCredential[], reveal: boolean): string {
  const lines = new Map<string, string>();
  for (const { agent, provider, source, secret, variable } of credentials) {
    if (variable === undefined) {
      lines.set(`${agent} ${provider}`, `# ${agent}: ${source} cannot be passed on by a variable`);
    } else if (!lines.has(variable)) {
      lines.set(
        variable,
        reveal ? `export ${variable}=${quoteForShell(secret)}` : `# ${variable} from ${source}; --reveal shows it`,
      );
    }
  }
  return [...lines.values()].map((line) => `${line}\n`).join("");
}
