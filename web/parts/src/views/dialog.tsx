import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A modal window of the browser itself: it keeps the focus inside and closes with Escape. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks before something is done that cannot be taken back. */
export function Confirm(props: { title: string; text: string; action: string; onYes(): void; onClose(): void }) {
  const { title, text, action, onYes, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={onYes}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
