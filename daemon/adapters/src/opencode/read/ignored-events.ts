/**
 * Lines that carry nothing a client would want to know, and why. Each by its whole name: whatever is not here, also what
 * a new OpenCode adds to one of these families, becomes events or `agent.unparsed`.
 */

/** Of the server itself. */
const ofServer: Readonly<Record<string, readonly string[]>> = {
  "the transport's; a directory that was closed is read again": [
    "server.connected",
    "server.heartbeat",
    "server.instance.disposed",
    "global.disposed",
  ],
  "on /global/event every durable event comes a second time under this name": ["sync"],
  "the noise of a directory that is opened for the first time": [
    "catalog.updated",
    "integration.connection.updated",
    "integration.updated",
    "models-dev.refreshed",
    "plugin.added",
    "project.directories.updated",
    "project.updated",
    "reference.updated",
  ],
  "versions of OpenCode: the daemon installs them": ["installation.update-available", "installation.updated"],
  "what changed on the disk, by whomever; edits of the agent are told by their calls": [
    "file.edited",
    "file.watcher.updated",
  ],
  "the branch of the repository": ["vcs.branch.updated"],
  "language servers, whose findings come with the results of calls": ["lsp.client.diagnostics", "lsp.updated"],
  "tools of MCP servers, which the model is told of": ["mcp.browser.open.failed", "mcp.tools.changed"],
  "terminals of OpenCode's own interface": ["pty.created", "pty.deleted", "pty.exited", "pty.updated"],
  "OpenCode's own interface": ["tui.command.execute", "tui.prompt.append", "tui.session.select", "tui.toast.show"],
  "copies of the directory that OpenCode's own interface makes": [
    "workspace.failed",
    "workspace.ready",
    "workspace.status",
    "worktree.failed",
    "worktree.ready",
  ],
};
const namesOfServer: ReadonlySet<string> = new Set(Object.values(ofServer).flat());

/** Of a session, beside those whose meaning is told by another line. */
const ofSession: ReadonlySet<string> = new Set(["sync", "command.executed"]);

export function isNoiseOfServer(type: string): boolean {
  return namesOfServer.has(type);
}

export function isIgnorable(type: string): boolean {
  return ofSession.has(type) || isNoiseOfServer(type);
}
