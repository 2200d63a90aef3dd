import type { AlwaysScope, PermissionAction } from "@muster/schema";

/** What a permission is about, as far as an agent tells it. */
export interface PermissionSubject {
  command?: string | undefined;
  paths?: readonly string[] | undefined;
  url?: string | undefined;
  /** The whole name of an MCP tool. */
  tool?: string | undefined;
  /** Names of the very thing, where it is none of these. */
  otherwise?: readonly string[];
}

/**
 * What `always` grants, for every agent: exactly this command, these files, this address or this MCP tool, and never more.
 * Agents' own `always` would cover other sessions, other commands or a whole mode. Nothing where the thing has no name.
 */
export function permissionScope(action: PermissionAction, subject: PermissionSubject): AlwaysScope[] {
  return patternsOf(action, subject).map((pattern) => ({ action, pattern }));
}

function patternsOf(action: PermissionAction, subject: PermissionSubject): readonly string[] {
  const { command, paths, url, tool, otherwise = [] } = subject;
  switch (action) {
    case "execute":
      return command ? [command] : otherwise;
    case "edit":
      return paths ?? otherwise;
    case "fetch":
      return url ? [url] : otherwise;
    case "mcp":
      return tool ? [tool] : otherwise;
    case "read":
    case "other":
      return otherwise;
  }
}
