import { Icon, useObservable } from "@muster/web-parts";
import type { Notices } from "../store/notices.ts";

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
