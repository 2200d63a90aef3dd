import type { PlanEntry } from "@muster/schema";
import { SafeText } from "@muster/web-parts";

const signs = { pending: "○", in_progress: "◐", completed: "●", cancelled: "–" } as const;
const words = { pending: "to do", in_progress: "being done", completed: "done", cancelled: "cancelled" } as const;

/** The agent's list of what it does; gone when all of it is done. */
export function PlanList({ entries }: { entries: readonly PlanEntry[] }) {
  const done = entries.filter(({ status }) => status === "completed" || status === "cancelled").length;
  if (entries.length === 0 || done === entries.length) return null;
  const current = entries.find(({ status }) => status === "in_progress");
  return (
    <details class="todo">
      <summary>
        {done} of {entries.length} done
        <span class="preview">{current && <SafeText text={current.content} />}</span>
      </summary>
      <ol>
        {entries.map(({ content, status }) => (
          <li class={status}>
            <span role="img" aria-label={words[status]}>
              {signs[status]}
            </span>{" "}
            <SafeText text={content} />
          </li>
        ))}
      </ol>
    </details>
  );
}
