import type { Notices } from "../store/notices.ts";
import { useObservable } from "../store/observable.ts";
import { Icon } from "./icon.tsx";

export function NoticeList({ notices }: { notices: Notices }) {
  useObservable(notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.shown.map(({ id, text, isFailure }) => (
        <p key={id} class={isFailure ? "notice failed" : "notice"}>
          {text}
          <button type="button" class="quiet" aria-label="Close this notice" onClick={() => notices.drop(id)}>
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  );
}
