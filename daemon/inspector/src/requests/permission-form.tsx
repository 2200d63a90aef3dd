import type { PermissionRequested, ReplyPermission } from "@muster/schema";
import { Diff, SafeText } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { useAnswer } from "./use-answer.ts";

const replies = [
  { reply: "once", key: "y", words: "Allow once" },
  { reply: "always", key: "a", words: "Always" },
  { reply: "reject", key: "n", words: "Reject" },
] as const satisfies readonly { reply: ReplyPermission["reply"]; key: string; words: string }[];

/** What the agent wants to do, what `always` would grant, and the three answers. */
export function PermissionForm({
  log,
  request,
  onLate,
}: {
  log: SessionLog;
  request: PermissionRequested;
  onLate(): void;
}) {
  const { permissionId, title, detail = {}, alwaysScope } = request;
  const [message, setMessage] = useState("");
  const { answer, isBusy, problem } = useAnswer(onLate);
  const reply = (kind: ReplyPermission["reply"]) =>
    answer(({ replyPermission }) =>
      replyPermission({
        sessionId: log.sessionId,
        permissionId,
        reply: kind,
        ...(kind === "reject" && message.trim() !== "" ? { message: message.trim() } : {}),
      }),
    );
  const offered = replies.filter(({ reply: kind }) => kind !== "always" || alwaysScope.length > 0);
  useReplyKeys(offered, reply);
  return (
    <>
      <h2>
        <SafeText text={title} code />
      </h2>
      {detail.reason && <p>{<SafeText text={detail.reason} />}</p>}
      {detail.command && !title.includes(detail.command) && (
        <pre class="plain">
          <SafeText text={detail.command} code />
        </pre>
      )}
      {detail.paths && detail.paths.length > 1 && (
        <p class="faint">
          <SafeText text={detail.paths.join(", ")} code />
        </p>
      )}
      {detail.diff && <Diff diff={detail.diff} label={title} />}
      {alwaysScope.length > 0 && (
        <p class="faint">
          Always, in this session:{" "}
          {alwaysScope.map(({ action, pattern }) => (
            <span class="scope">
              {action}{" "}
              <code>
                <SafeText text={pattern} code />
              </code>
            </span>
          ))}
        </p>
      )}
      <div class="buttons">
        {offered.map(({ reply: kind, key, words }) => (
          <button
            type="button"
            class={kind === "once" ? "primary" : undefined}
            disabled={isBusy}
            aria-keyshortcuts={key}
            onClick={() => reply(kind)}
          >
            {words} <kbd>{key}</kbd>
          </button>
        ))}
        <input
          class="grow"
          aria-label="Why not, for the agent"
          placeholder="Why not (told with a rejection)"
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && reply("reject")}
        />
      </div>
      <ProblemNote problem={problem} />
    </>
  );
}

/** One key answers, but only when the person is not writing. */
function useReplyKeys(
  offered: readonly (typeof replies)[number][],
  reply: (kind: ReplyPermission["reply"]) => void,
): void {
  useEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey, altKey, repeat, target }: KeyboardEvent) => {
      const isWriting = target instanceof HTMLElement && target.matches("input, textarea, select, dialog *");
      if (isWriting || ctrlKey || metaKey || altKey || repeat) return;
      const found = offered.find((one) => one.key === key);
      if (found !== undefined) reply(found.reply);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
