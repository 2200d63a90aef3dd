import { resolve } from "node:path";
import { CodebuffClient } from "@muster/codebuff-sdk";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { formatRows } from "../text/rows.ts";

interface Place {
  cwd?: string;
}

/** What `.agents/mcp.json` of the project, its parent and the home directory configure. */
export async function listServers({ json, ...place }: Place & { json?: true }, io: Io): Promise<number> {
  const client = clientFor(place, io);
  const servers = Object.entries(await client.mcpServers({ warn: (message) => void io.stderr.write(`${message}\n`) }));
  await client.close();
  // Values of env and headers may be keys; the names are enough to recognise a server.
  const rows = servers.map(([name, config]) => ({
    name,
    type: "command" in config ? "stdio" : config.type,
    target: "command" in config ? [config.command, ...(config.args ?? [])].join(" ") : config.url,
  }));
  if (json) io.stdout.write(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) io.stdout.write("No MCP servers are configured: .agents/mcp.json\n");
  else io.stdout.write(formatRows(rows.map(({ name, type, target }) => [name, type ?? "http", target])));
  return exitCodes.ok;
}

/** Starts servers, lists their tools and ends them. The person who types this vouches for the commands it runs. */
export async function testServers(names: readonly string[], place: Place, io: Io): Promise<number> {
  const client = clientFor(place, io);
  try {
    const servers = await client.mcpServers({ warn: (message) => void io.stderr.write(`${message}\n`) });
    const unknown = names.find((name) => servers[name] === undefined);
    if (unknown !== undefined)
      throw new CommandError(`There is no MCP server ${unknown}`, { exitCode: exitCodes.usage });
    const wanted = Object.entries(servers).filter(([name]) => names.length === 0 || names.includes(name));
    let failures = 0;
    for (const [name, config] of wanted) {
      const tested = await client.testMcpServer(name, config, io.interrupted);
      if ("failure" in tested) failures++;
      io.stdout.write(
        "failure" in tested ? `✗ ${name}: ${tested.failure}\n` : `✓ ${name}: ${tested.tools.join(", ")}\n`,
      );
    }
    if (wanted.length === 0) io.stdout.write("No MCP servers are configured: .agents/mcp.json\n");
    return failures === 0 ? exitCodes.ok : exitCodes.runError;
  } finally {
    await client.close();
  }
}

function clientFor({ cwd }: Place, io: Io): CodebuffClient {
  return new CodebuffClient({ cwd: resolve(io.cwd, cwd ?? "."), home: io.home, processEnv: { ...io.env } });
}
