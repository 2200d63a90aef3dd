import { Icon, SafeText } from "@muster/web-parts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";

/** Messages the agent has not been given yet; each can be taken back. */
export function QueueList({ log }: { log: SessionLog }) {
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const queued = [...log.fold.queued.values()];
  if (queued.length === 0) return <ProblemNote problem={problem} />;
  const { sessionId } = log;
  const cancel = (messageId: string) => attempt(() => daemon.client.sessions.cancelMessage({ sessionId, messageId }));
  return (
    <>
      <ul class="queue" aria-label="Queued messages">
        {queued.map(({ messageId, text, attachments, delivery }) => (
          <li>
            <span class="tag">{delivery === "steer" ? "steering" : "queued"}</span>
            <span class="preview">
              <SafeText text={text} />
            </span>
            {attachments > 0 && <span class="tag">{attachments} attached</span>}
            <button
              type="button"
              class="quiet"
              aria-label="Take back"
              title="Take back"
              onClick={() => cancel(messageId)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <ProblemNote problem={problem} />
    </>
  );
}
