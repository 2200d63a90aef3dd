import type { SessionLog } from "../store/session-log.ts";

/** Why what came before is not here, and what can be done about it. */
export function OlderNote({ log }: { log: SessionLog }) {
  const { olderFailure, isFull, events, sessionId } = log;
  if (olderFailure !== "") {
    return (
      <p class="note failed" role="alert">
        What came before could not be read: {olderFailure}{" "}
        <button type="button" onClick={() => void log.loadOlder()}>
          Try again
        </button>
      </p>
    );
  }
  if (!isFull) return null;
  return (
    <p class="note">
      These are the last {events.length} events; a page holds no more. The others:{" "}
      <code>sandbox-daemon sessions get-events {sessionId}</code>
    </p>
  );
}
