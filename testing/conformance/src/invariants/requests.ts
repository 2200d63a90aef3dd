import type { UniversalEvent } from "@muster/schema";
import type { Watch } from "../violation.ts";

/** Each question and permission is resolved exactly once and does not outlive its item or its life. */
export const requests: Watch = (report, { finished, after }) => {
  const open = new Map<string, string | undefined>();
  const resolved = new Set<string>();
  return {
    see(event) {
      const asked = requestOf(event);
      const answered = answerOf(event);
      if (asked) {
        if (open.has(asked.id) || resolved.has(asked.id)) report(`${asked.id} is asked a second time`);
        open.set(asked.id, asked.itemId);
      } else if (answered !== undefined) {
        if (resolved.has(answered)) report(`${answered} is resolved a second time`);
        else if (!open.has(answered) && after === 0) report(`${answered} is resolved and was never asked`);
        open.delete(answered);
        resolved.add(answered);
      } else if (event.type === "item.completed") {
        const { itemId } = event.data.item;
        for (const [id, owner] of open) if (owner === itemId) report(`${id} outlives its item ${itemId}`);
      } else if (endsLife(event)) {
        for (const id of open.keys()) report(`${id} outlives its life`);
      }
    },
    end() {
      if (finished) for (const id of open.keys()) report(`${id} is never resolved`);
    },
  };
};

function requestOf(event: UniversalEvent): { id: string; itemId: string | undefined } | undefined {
  if (event.type === "question.requested") return { id: event.data.questionId, itemId: event.data.itemId };
  if (event.type === "permission.requested") return { id: event.data.permissionId, itemId: event.data.itemId };
  return undefined;
}

function answerOf(event: UniversalEvent): string | undefined {
  if (event.type === "question.resolved") return event.data.questionId;
  return event.type === "permission.resolved" ? event.data.permissionId : undefined;
}

/** Also sleep: whoever asked is gone and nobody is left to hear the answer. */
function endsLife(event: UniversalEvent): boolean {
  if (event.type === "session.ended") return true;
  return event.type === "session.updated" && event.data.agentState === "asleep";
}
