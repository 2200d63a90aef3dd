import { randomUUID } from "node:crypto";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenOptions } from "../../adapter.ts";
import { type AgentHost, agentFolder } from "../../host.ts";

export interface McpConfigFile {
  path: string;
  remove(): Promise<void>;
}

/** MCP servers as a file only the agent can read: arguments can be read by everybody on the machine. Read at its start. */
export async function writeMcpConfig(host: AgentHost, mcp: OpenOptions["mcp"]): Promise<McpConfigFile | undefined> {
  if (Object.keys(mcp).length === 0) return undefined;
  const path = join(await agentFolder(host, "codebuff"), `mcp-${randomUUID()}.json`);
  await writeFile(path, JSON.stringify({ mcpServers: mcpServers(mcp) }), { mode: 0o600 });
  if (host.user) await chown(path, host.user.uid, host.user.gid);
  return { path, remove: () => rm(path, { force: true }) };
}

function mcpServers(mcp: OpenOptions["mcp"]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mcp).map(([name, server]) => [
      name,
      "url" in server
        ? { type: "http", url: server.url, headers: server.headers }
        : { type: "stdio", command: server.command, args: server.args, env: server.env },
    ]),
  );
}
