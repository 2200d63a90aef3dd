/** Lines that carry nothing a client would want to know. Whatever is not here becomes events or `agent.unparsed`. */

/** Of the server itself: the transport's, and the noise of a directory that is opened for the first time. */
export const ignorableOfServer: ReadonlySet<string> = new Set([
  "server.connected",
  "server.heartbeat",
  // On /global/event every durable event comes a second time under this name.
  "sync",
  "plugin.added",
  "catalog.updated",
  "reference.updated",
  "integration.updated",
  "models-dev.refreshed",
  "project.updated",
]);

/** Of a session, beside those whose meaning is told by another line. */
export const ignorableOfSession: ReadonlySet<string> = new Set(["sync", "command.executed"]);
