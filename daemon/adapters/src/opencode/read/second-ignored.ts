/** Lines of OpenCode 2 that mean nothing for a conversation, by why. */
const ofSession: ReadonlySet<string> = new Set([
  // What its own page shows beside the conversation; the daemon chose model, agent and directory itself.
  "session.agent.selected",
  "session.model.selected",
  "session.moved",
  "session.forked",
  "session.skill.activated",
  "session.instructions.updated",
  "session.synthetic",
  // Told by the end of each step, exactly and by turn.
  "session.usage.updated",
  "session.usage.recorded",
  // A prompt that was taken back, or its way of delivery: the daemon has a queue of its own.
  "session.inbox.cancelled",
  "session.inbox.delivery.changed",
  // The input comes whole with the call.
  "session.tool.input.delta",
  "session.tool.input.ended",
  "session.step.streamed",
  "session.compaction.delta",
  // What a person's own shell did, and undo by others.
  "session.shell.started",
  "session.shell.ended",
  "session.revert.staged",
  "session.revert.cleared",
  "session.revert.committed",
  "session.message.content.updated",
  "session.metadata.updated",
  "session.permissions",
  "session.status",
  "session.idle",
]);

/** Families of lines about the server, its directories and its own page. */
const ofServer =
  /^(server|plugin|integration|agent|command|skill|catalog|websearch|reference|config|models-dev|installation|file|filesystem|vcs|lsp|mcp|pty|shell|tui|workspace|worktree|project|credential|global|ide|location)\./;

export function isSecondNoiseOfServer(type: string): boolean {
  return ofServer.test(type);
}

export function isSecondIgnorable(type: string): boolean {
  return ofSession.has(type) || isSecondNoiseOfServer(type);
}
