import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => copyBySelection(text));
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button type="button" class="quiet" aria-label={isDone ? "Copied" : label} title={label} onClick={copy}>
      <Icon name={isDone ? "done" : "copy"} />
      {children}
    </button>
  );
}

/** The clipboard is closed to pages that come without encryption from another machine. */
function copyBySelection(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
