import { homedir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@muster/codebuff-protocol";
import { z } from "zod";
import { readJsonFile } from "../settings/user-config.ts";
import { agentFolders } from "./agent-files.ts";
import { howToTrust, type Trust, type TrustItem } from "./trust.ts";

export interface LoadedMCPConfig {
  mcpServers: Record<string, McpServer>;
  /** The file with the highest rank; empty when there is none. */
  _sourceFilePath: string;
}

const McpFile = z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) });

/** `.agents/mcp.json` of the project, its parent and the home directory; the project wins. */
export async function loadMCPConfig({ verbose = false }: { verbose?: boolean } = {}): Promise<LoadedMCPConfig> {
  const warn = (message: string) => {
    if (verbose) process.stderr.write(`${message}\n`);
  };
  return readMcpConfig({ cwd: process.cwd(), warn });
}

/** With `trust`, servers of a project are left out until they have been accepted. */
export async function readMcpConfig({
  cwd,
  home = homedir(),
  trust,
  warn,
}: {
  cwd: string;
  home?: string;
  trust?: Trust;
  warn: (message: string) => void;
}): Promise<LoadedMCPConfig> {
  const mcpServers: Record<string, McpServer> = {};
  let source = "";
  for (const { path: folder, isOwn } of agentFolders(cwd, home)) {
    const path = join(folder, "mcp.json");
    const file = await readMcpFile(path, warn);
    if (file === undefined) continue;
    if (!isOwn && trust !== undefined && !(await trust.accepts(itemOf(path, file)))) {
      warn(`${path}: its servers are not started: they have not been accepted yet; ${howToTrust}`);
      continue;
    }
    source ||= path;
    for (const [name, config] of Object.entries(file.mcpServers)) {
      const checked = McpServer.safeParse(config);
      if (!checked.success) warn(`${path}: ${name}: ${z.prettifyError(checked.error).replaceAll("\n", " ")}`);
      else mcpServers[name] ??= isOwn ? checked.data : withoutTrust(checked.data);
    }
  }
  return { mcpServers, _sourceFilePath: source };
}

async function readMcpFile(
  path: string,
  warn: (message: string) => void,
): Promise<z.infer<typeof McpFile> | undefined> {
  const parsed = await readJsonFile(path, warn);
  if (parsed === undefined) return undefined;
  const file = McpFile.safeParse(parsed);
  if (file.success) return file.data;
  warn(`${path}: ${z.prettifyError(file.error).replaceAll("\n", " ")}`);
  return undefined;
}

/** The servers of a folder, for a person to accept; undefined when it has none. */
export async function readMcpItem(folder: string, warn: (message: string) => void): Promise<TrustItem | undefined> {
  const path = join(folder, "mcp.json");
  const file = await readMcpFile(path, warn);
  return file === undefined ? undefined : itemOf(path, file);
}

function itemOf(path: string, file: z.infer<typeof McpFile>): TrustItem {
  return { kind: "mcp", path, content: JSON.stringify(file, null, 2) };
}

/** Whom the person believes stands in the person's own settings: a project's word for its servers does not count. */
export function withoutTrust(server: McpServer): McpServer {
  const { trustReadOnlyHint: _, ...rest } = server;
  return rest;
}
