import type { ChangeAuthor, SessionChanges } from "@muster/schema";
import { Diff, SafeText } from "@muster/web-parts";

/** Files that differ, each with its difference and who made it. */
export function ChangedFiles({ changes: { files, skipped, truncated } }: { changes: SessionChanges }) {
  if (skipped !== undefined) return <p class="note">Nothing is known of the files: {skipped}</p>;
  if (files.length === 0) return <p class="note">No file differs</p>;
  return (
    <>
      {files.map(({ path, change, diff, by }) => (
        <details class="changed-file" key={path}>
          <summary>
            <code class="ellipsis">
              <SafeText text={path} code />
            </code>
            <span class="tag">{change}</span>
            <span class="faint">{by.map(authorWords).join(", ")}</span>
          </summary>
          {diff !== "" && <Diff diff={diff} label={path} />}
        </details>
      ))}
      {truncated && <p class="note">There are more than these</p>}
    </>
  );
}

function authorWords({ session, turn, how }: ChangeAuthor): string {
  if (session === undefined) return "a person";
  return turn === undefined ? how : `${how} in turn ${turn}`;
}
