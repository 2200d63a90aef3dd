import { expect, test } from "vitest";
import { protocol } from "../run/routing.ts";
import { isIgnorable } from "./ignored-events.ts";

test.each([
  "server.heartbeat",
  "server.instance.disposed",
  "file.edited",
  "file.watcher.updated",
  "vcs.branch.updated",
  "lsp.client.diagnostics",
  "installation.update-available",
  "mcp.tools.changed",
  "pty.exited",
  "tui.session.select",
  "worktree.ready",
  "sync",
])("%s is of nobody's session, and no unknown line of one", (type) => {
  const line = { type, properties: { sessionID: "ses_1" } };
  expect(isIgnorable(type)).toBe(true);
  expect([protocol.route(line), protocol.take(line)]).toEqual([null, true]);
});

test.each(["lsp.exploded", "server.quota.warning", "file", "project.updated.twice"])(
  "%s is a line of a family we know, and not known itself: it is told",
  (type) => {
    const line = { type, properties: { sessionID: "ses_1" } };
    expect(isIgnorable(type)).toBe(false);
    expect([protocol.route(line), protocol.take(line)]).toEqual(["ses_1", false]);
  },
);

test.each(["session.idle", "message.part.updated", "permission.asked", "todo.updated", "session.next.text.delta"])(
  "%s is read",
  (type) => {
    expect(isIgnorable(type)).toBe(false);
  },
);
