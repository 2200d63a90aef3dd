import { useState } from "preact/hooks";
import { diffLines } from "../model/diff-lines.ts";
import { SafeText } from "./safe-text.tsx";
import { ScrollRegion } from "./scroll-region.tsx";

const shownFirst = 60;

/** A unified diff, line by line. Colours are not all that tells the lines apart: each keeps its sign. */
export function Diff({ diff, label }: { diff: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = diffLines(diff);
  const shown = isWhole ? lines : lines.slice(0, shownFirst);
  return (
    <div class="diff">
      <ScrollRegion class="text" label={`Changes of ${label}`}>
        <pre>
          {shown.map(({ kind, text }) => (
            <span class={`line ${kind}`}>
              <SafeText text={text === "" ? " " : text} code />
              {"\n"}
            </span>
          ))}
        </pre>
      </ScrollRegion>
      {shown.length < lines.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {lines.length - shown.length} more lines
        </button>
      )}
    </div>
  );
}
