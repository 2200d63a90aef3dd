import { useEffect, useState } from "preact/hooks";
import type { RequestEntry } from "../model/entries.ts";
import type { SessionLog } from "../store/session-log.ts";
import { PermissionForm } from "./permission-form.tsx";
import { PlanForm } from "./plan-form.tsx";
import { QuestionForm } from "./question-form.tsx";

/** The oldest request that waits for a person, always in sight. */
export function RequestDock({ log }: { log: SessionLog }) {
  const [request, ...others] = log.pending();
  /** The request that somebody else had answered when this page did; told until the next one. */
  const [late, setLate] = useState<string>();
  useEffect(() => {
    if (request !== undefined) document.querySelector(".dock")?.scrollIntoView?.({ block: "nearest" });
    if (request !== undefined && request.id !== late) setLate(undefined);
  }, [request?.id]);
  return (
    <div class="dock-place" aria-live="polite">
      {late !== undefined && (
        <p class="note late">
          It has been answered already, somewhere else.{" "}
          <button type="button" class="more" onClick={() => setLate(undefined)}>
            Close
          </button>
        </p>
      )}
      {request !== undefined && (
        <section class="dock" aria-label="The agent asks" key={request.id}>
          {drawRequest(log, request, () => setLate(request.id))}
          {others.length > 0 && <p class="faint">{others.length} more after this</p>}
        </section>
      )}
    </div>
  );
}

function drawRequest(log: SessionLog, { event }: RequestEntry, onLate: () => void) {
  if (event.type === "permission.requested") return <PermissionForm log={log} request={event.data} onLate={onLate} />;
  if (event.data.kind === "plan_approval") return <PlanForm log={log} request={event.data} onLate={onLate} />;
  return <QuestionForm log={log} request={event.data} onLate={onLate} />;
}
