import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PermissionMode } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { editingTools, harmlessTools } from "../wire/tools.ts";
import type { LaunchFiles } from "./command-line.ts";
import { permissionScript } from "./permission-program.ts";
import { makeShortFolder, socketIn } from "./short-folder.ts";

const programName = "muster-permission";

/**
 * What one life needs on disk: settings, MCP servers, the permission program and its socket, in a folder only the agent
 * can enter. The path of a socket holds about a hundred characters, so it does not lie in the data directory.
 */
export interface LaunchFolder extends LaunchFiles {
  path: string;
  socket: string;
  remove(): Promise<void>;
}

export async function makeLaunchFolder(host: AgentHost, options: OpenOptions): Promise<LaunchFolder> {
  const { user } = host;
  const path = await makeShortFolder();
  const write = async (name: string, text: string, mode = 0o600) => {
    const file = join(path, name);
    await writeFile(file, text, { mode });
    if (user) await chown(file, user.uid, user.gid);
    return file;
  };
  const servers = Object.keys(options.mcp).length > 0;
  const settings = options.permissionMode === "bypass" ? undefined : permissionSettings(options.permissionMode);
  const folder: LaunchFolder = {
    path,
    socket: socketIn(path),
    settings: settings && (await write("settings.json", JSON.stringify(settings))),
    mcpConfig: servers ? await write("mcp.json", JSON.stringify(mcpServers(options.mcp))) : undefined,
    remove: () => rm(path, { recursive: true, force: true }),
  };
  if (settings) await write(programName, permissionScript(), 0o700);
  if (user) await chown(path, user.uid, user.gid);
  return folder;
}

/** Rules are tried in order. An `ask` would end the turn with an error, so whatever is left is delegated. */
function permissionSettings(mode: Exclude<PermissionMode, "bypass">): Record<string, unknown> {
  const allowed = mode === "acceptEdits" ? [...harmlessTools, ...editingTools] : harmlessTools;
  return {
    "amp.permissions": [
      ...allowed.map((tool) => ({ tool, action: "allow" })),
      { tool: "*", action: "delegate", to: programName },
    ],
  };
}

function mcpServers(mcp: OpenOptions["mcp"]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mcp).map(([name, server]) => [
      name,
      "url" in server
        ? { url: server.url, headers: server.headers }
        : { command: server.command, args: server.args ?? [], env: server.env },
    ]),
  );
}
