import { useEffect } from "preact/hooks";
import type { RequestEntry } from "../model/entries.ts";
import type { SessionLog } from "../store/session-log.ts";
import { PermissionForm } from "./permission-form.tsx";
import { PlanForm } from "./plan-form.tsx";
import { QuestionForm } from "./question-form.tsx";

/** The oldest request that waits for a person, always in sight. */
export function RequestDock({ log }: { log: SessionLog }) {
  const [request, ...others] = log.pending();
  useEffect(() => {
    if (request !== undefined) document.querySelector(".dock")?.scrollIntoView?.({ block: "nearest" });
  }, [request?.id]);
  return (
    <div class="dock-place" aria-live="polite">
      {request !== undefined && (
        <section class="dock" aria-label="The agent asks" key={request.id}>
          {drawRequest(log, request)}
          {others.length > 0 && <p class="faint">{others.length} more after this</p>}
        </section>
      )}
    </div>
  );
}

function drawRequest(log: SessionLog, { event }: RequestEntry) {
  if (event.type === "permission.requested") return <PermissionForm log={log} request={event.data} />;
  if (event.data.kind === "plan_approval") return <PlanForm log={log} request={event.data} />;
  return <QuestionForm log={log} request={event.data} />;
}
