import { Icon } from "@muster/web-parts";
import { bytes } from "@muster/web-parts/model";
import { useRef, useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { SessionChoices } from "../settings/session-choices.tsx";
import { SettingsDialog } from "../settings/settings-dialog.tsx";
import { keepDraft, keptDraft } from "../store/drafts.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { type AttachedFile, attachedFiles } from "./attached-files.ts";

/** Where messages are written. Enter sends; while the agent works it queues, and Ctrl+Enter sends into the turn. */
export function Composer({ log }: { log: SessionLog }) {
  const { daemon } = usePage();
  const { problem, attempt, forget } = useAttempt();
  const { sessionId, session } = log;
  const [isMending, setMending] = useState(false);
  const [text, setText] = useState(() => keptDraft(sessionId));
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  const [isOver, setOver] = useState(false);
  const sent = useRef(Promise.resolve());
  const picker = useRef<HTMLInputElement>(null);
  const { isWorking } = log;
  const { sessions } = daemon.client;

  const write = (value: string) => {
    forget();
    setText(value);
    keepDraft(sessionId, value);
  };
  const attach = (given: Iterable<File>) =>
    attempt(async () => {
      const read = await attachedFiles(given);
      setFiles((before) => [...before, ...read]);
    });
  /** Takes the text at once, so that the next one can be written; messages go out one after the other, in order. */
  const send = (delivery: "queue" | "steer") => {
    const message = text.trim();
    if (message === "") return;
    const attachments = files.map(({ data, mime, filename }) => ({ data, mime, filename }));
    const body = { sessionId, message, delivery, ...(attachments.length > 0 ? { attachments } : {}) };
    write("");
    setFiles([]);
    sent.current = sent.current.then(async () => {
      const isSent = await attempt(() => sessions.sendMessage(body));
      if (!isSent) giveBack(message, files);
    });
  };
  /** What could not be sent stands before what was written since. */
  const giveBack = (message: string, attached: readonly AttachedFile[]) => {
    setText((since) => {
      const all = since === "" ? message : `${message}\n${since}`;
      keepDraft(sessionId, all);
      return all;
    });
    setFiles((since) => [...attached, ...since]);
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send(isWorking && (event.ctrlKey || event.metaKey) ? "steer" : "queue");
  };

  return (
    <form
      class={`composer ${isOver ? "over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        send("queue");
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void attach(event.dataTransfer?.files ?? []);
      }}
    >
      <ProblemNote problem={problem}>
        {problem?.code === "credentials_required" && (
          <button type="button" onClick={() => setMending(true)}>
            Enter the key
          </button>
        )}
      </ProblemNote>
      {files.length > 0 && (
        <ul class="attached" aria-label="Attached files">
          {files.map((file) => (
            <li>
              {file.preview && <img src={file.preview} alt="" />}
              {file.filename} <span class="faint">{bytes(file.size)}</span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${file.filename}`}
                onClick={() => setFiles(files.filter((other) => other !== file))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        aria-label="Message"
        placeholder={isWorking ? "Queue or steer" : "Message"}
        rows={Math.min(10, Math.max(1, text.split("\n").length))}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])];
          if (pasted.length === 0) return;
          event.preventDefault();
          void attach(pasted);
        }}
      />
      <div class="composer-bar">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void attach(event.currentTarget.files ?? []);
            event.currentTarget.value = "";
          }}
        />
        <button
          type="button"
          class="quiet"
          aria-label="Attach files"
          title="Attach files"
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        {session && <SessionChoices log={log} session={session} />}
        <span class="gap" />
        {isWorking && (
          <>
            <button type="button" onClick={() => attempt(() => sessions.interrupt({ sessionId }))}>
              <Icon name="stop" /> Interrupt
            </button>
            <button
              type="button"
              disabled={text.trim() === ""}
              title="Into the open turn (Ctrl+Enter)"
              onClick={() => send("steer")}
            >
              Steer
            </button>
          </>
        )}
        <button type="submit" class="primary" disabled={text.trim() === ""}>
          <Icon name="send" /> {isWorking ? "Queue" : "Send"}
        </button>
      </div>
      {isMending && session && <SettingsDialog session={session} isForKey onClose={() => setMending(false)} />}
    </form>
  );
}
