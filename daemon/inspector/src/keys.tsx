import { Dialog } from "@muster/web-parts";
import { useEffect } from "preact/hooks";
import { go } from "./store/page.tsx";

const keys = {
  n: "a new session (while a permission is asked: reject)",
  "/": "find a session",
  "j, k": "the next and the previous session of the list; Enter opens it",
  c: "write a message",
  "y, a, n": "allow once, always allow, reject: while a permission is asked",
  Enter: "send; while the agent works, queue",
  "Ctrl+Enter": "send into the open turn",
  "Shift+Enter": "a new line",
  Escape: "leave the field",
  "?": "these keys",
} as const;

/** What the keys do. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys-list">
        {Object.entries(keys).map(([key, words]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <form method="dialog" class="buttons">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

/** The keys of the whole page. Not while something is written, and not in a window that asks something. */
export function useKeys(askKeys: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isWriting = target instanceof HTMLElement && target.matches("input, textarea, select, dialog *");
      if (isWriting || ctrlKey || metaKey || altKey) return;
      const act = actions(askKeys)[key];
      if (act?.()) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Key → what it does; tells whether it did. */
function actions(askKeys: () => void): Readonly<Record<string, () => boolean>> {
  return {
    n: () => {
      if (document.querySelector(".dock") !== null) return false;
      go({ page: "new" });
      return true;
    },
    "?": () => {
      askKeys();
      return true;
    },
    "/": () => focusOn(".sessions input"),
    c: () => focusOn(".composer textarea"),
    j: () => walk(1),
    k: () => walk(-1),
  };
}

function focusOn(selector: string): boolean {
  const field = document.querySelector<HTMLElement>(selector);
  field?.focus();
  return field !== null;
}

/** From the session that has the focus, or else the one that is open. */
function walk(step: 1 | -1): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(".sessions .session")];
  const focused = all.indexOf(document.activeElement as HTMLElement);
  const open = all.findIndex((one) => one.getAttribute("aria-current") === "page");
  const from = focused >= 0 ? focused : open;
  const next = from < 0 ? (step === 1 ? 0 : all.length - 1) : Math.min(Math.max(from + step, 0), all.length - 1);
  all[next]?.focus();
  return all.length > 0;
}
