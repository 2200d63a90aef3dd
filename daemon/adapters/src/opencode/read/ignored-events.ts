/** Lines that carry nothing a client would want to know, and why. Whatever is not here becomes events or `agent.unparsed`. */

/** Of the server itself; with a dot at its end all that begin so. */
const ofServer: Readonly<Record<string, string>> = {
  "server.": "the transport's; a directory that was closed is read again",
  "global.disposed": "as above",
  sync: "on /global/event every durable event comes a second time under this name",
  "plugin.": "the noise of a directory that is opened for the first time",
  "catalog.": "as above",
  "reference.": "as above",
  "integration.": "as above",
  "models-dev.": "as above",
  "project.": "as above",
  "installation.": "versions of OpenCode: the daemon installs them",
  "file.": "what changed on the disk, by whomever; edits of the agent are told by their calls",
  "vcs.": "the branch of the repository",
  "lsp.": "language servers, whose findings come with the results of calls",
  "mcp.": "tools of MCP servers, which the model is told of",
  "pty.": "terminals of OpenCode's own interface",
  "tui.": "OpenCode's own interface",
  "workspace.": "copies of the directory that OpenCode's own interface makes",
  "worktree.": "as above",
};

/** Of a session, beside those whose meaning is told by another line. */
const ofSession: ReadonlySet<string> = new Set(["sync", "command.executed"]);

const families = Object.keys(ofServer).filter((name) => name.endsWith("."));

export function isNoiseOfServer(type: string): boolean {
  return Object.hasOwn(ofServer, type) || families.some((name) => type.startsWith(name));
}

export function isIgnorable(type: string): boolean {
  return ofSession.has(type) || isNoiseOfServer(type);
}
