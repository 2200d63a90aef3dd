import { useState } from "preact/hooks";
import { bytes } from "../model/wording.ts";
import { TerminalText } from "./safe-text.tsx";
import { ScrollRegion } from "./scroll-region.tsx";

/** How much of an output is drawn at once. */
const pieceLength = 20_000;

/** Output of a program. Of a long one the end is shown first, because that is where it says how it went. */
export function Output({ text, label }: { text: string; label: string }) {
  const [shown, setShown] = useState(pieceLength);
  const left = text.length - shown;
  return (
    <div class="output">
      {left > 0 && (
        <button type="button" class="more" onClick={() => setShown(shown + 4 * pieceLength)}>
          {bytes(left)} before this
        </button>
      )}
      <ScrollRegion class="text" label={label}>
        <pre>
          <TerminalText text={left > 0 ? text.slice(-shown) : text} />
        </pre>
      </ScrollRegion>
    </div>
  );
}
