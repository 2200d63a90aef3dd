import { Diff, SafeText } from "@muster/web-parts";
import type { ChangedFile } from "../model/changed-files.ts";
import { hashOf } from "../model/route.ts";

/** The files the session has changed; each opens to its changes. */
export function FilesPicture({ files, sessionId }: { files: readonly ChangedFile[]; sessionId: string }) {
  if (files.length === 0) return null;
  return (
    <section class="picture-box" aria-label="Files changed">
      <div class="picture-head">
        <h2>Files changed</h2>
        <span class="faint">{files.length}</span>
      </div>
      {files.map(({ path, action, diffs, added, removed, key }) => (
        <details class="changed-file">
          <summary>
            <code class="ellipsis">
              <SafeText text={path} code />
            </code>
            {action === "delete" && <span class="tag">deleted</span>}
            <span class="added">+{added}</span> <span class="removed">−{removed}</span>
          </summary>
          {diffs.map((diff) => (
            <Diff diff={diff} label={path} />
          ))}
          <a href={hashOf({ page: "session", sessionId, view: "chat", at: key })}>In the chat</a>
        </details>
      ))}
    </section>
  );
}
