import type { SessionParts } from "../connect-parts.ts";

/** What a fork or a hand-over begins with, in case nobody came to write it: the event, and the end of what the log before left open. */
export async function beginAnew({ journal, settings, requests, items, messages }: SessionParts): Promise<void> {
  const { pendingEvent } = settings.file;
  if (pendingEvent === undefined) return;
  const { after, body } = pendingEvent;
  if (journal.state.sequence <= after) {
    journal.emit("daemon", body, null);
    requests.cancelAll("daemon", "The session was forked");
    items.closeAll("cancelled");
    // What was queued was meant for the session it was sent to.
    if (body.type === "session.forked") messages.cancelQueue();
  }
  await journal.sync();
  await settings.note({ pendingEvent: undefined });
}
