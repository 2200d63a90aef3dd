import { CopyButton, Diff, SafeText, useObservable } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { type ChangedFile, changedFiles, patchOf } from "../model/changed-files.ts";
import { hashOf } from "../model/route.ts";
import type { SessionLog } from "../store/session-log.ts";

/** All changes of a session as one diff, file by file. All of the session is read for it. */
export function ChangesView({ log }: { log: SessionLog }) {
  useObservable(log);
  const [isShut, shut] = useState(false);
  useEffect(() => {
    let isGone = false;
    if (log.state === "live") void log.loadAll(() => !isGone);
    return () => {
      isGone = true;
    };
  }, [log.state === "live"]);
  const files = changedFiles(log.fold.entries.all());
  const isReading = !log.hasAll && !log.isFull && log.olderFailure === "";
  const sum = (wanted: "added" | "removed") => files.reduce((total, file) => total + file[wanted], 0);
  return (
    <div class="changes">
      <div class="page">
        {log.olderFailure !== "" && (
          <p class="note failed" role="alert">
            What came before could not be read: {log.olderFailure}
          </p>
        )}
        {isReading && (
          <p class="note" role="status">
            Reading the session, {log.events.length} events so far …
          </p>
        )}
        {files.length === 0 && !isReading && <NoChanges log={log} />}
        {files.length > 0 && (
          <header class="changes-head">
            <h2>
              {files.length === 1 ? "1 file changed" : `${files.length} files changed`}{" "}
              <span class="added">+{sum("added")}</span> <span class="removed">−{sum("removed")}</span>
            </h2>
            <span class="gap" />
            <button type="button" onClick={() => shut(!isShut)}>
              {isShut ? "Open all" : "Close all"}
            </button>
            <CopyButton text={patchOf(files)} label="Copy as a patch">
              Copy as a patch
            </CopyButton>
          </header>
        )}
        {files.map((file) => (
          <FileChanges key={`${file.path}${isShut}`} file={file} isOpen={!isShut} sessionId={log.sessionId} />
        ))}
      </div>
    </div>
  );
}

function FileChanges({ file, isOpen, sessionId }: { file: ChangedFile; isOpen: boolean; sessionId: string }) {
  const { path, action, diffs, times, added, removed, key } = file;
  return (
    <details class="changed-file" open={isOpen}>
      <summary>
        <code class="ellipsis">
          <SafeText text={path} code />
        </code>
        {action === "delete" && <span class="tag">deleted</span>}
        {times > 1 && <span class="tag">{diffs.length === 1 ? `${times} edits as one` : `${times} edits`}</span>}
        <span class="added">+{added}</span> <span class="removed">−{removed}</span>
      </summary>
      {diffs.map((diff) => (
        <Diff diff={diff} label={path} />
      ))}
      {diffs.length > 1 && (
        <p class="faint">One after the other: what was changed in between is not known, so they make no single diff.</p>
      )}
      <a href={hashOf({ page: "session", sessionId, view: "chat", at: key })}>In the chat</a>
    </details>
  );
}

function NoChanges({ log }: { log: SessionLog }) {
  return (
    <div class="empty">
      <h2>No changes yet</h2>
      <p>
        Files that the agent edits are shown here, all edits of a file as one. What its commands change is not told.
      </p>
      <a href={hashOf({ page: "session", sessionId: log.sessionId, view: "chat" })}>To the chat</a>
    </div>
  );
}
