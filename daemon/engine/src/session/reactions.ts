import type { EventBody } from "@muster/schema";
import type { SessionParts } from "./connect-parts.ts";
import { isMetered, isOverBudget } from "./state/budget.ts";
import { limitMessage } from "./turn/plain-message.ts";

/** What each event sets off in its session, called when it has been folded. No part calls another one above it: it emits. */
export function react(body: EventBody, parts: SessionParts): void {
  // Nearly every event is one, and none sets anything off.
  if (body.type === "item.delta") return;
  const { journal, clock, span, messages, current, deliveries, work, snapshots } = parts;
  span.follow(body, journal.state);
  switch (body.type) {
    case "turn.started":
      snapshots.turnStarted(body.data.turnId);
      return work.background("end a silent turn", replaceWhenExpired(parts));
    case "turn.ended":
      messages.tellTurnEnded(body.data.turnId);
      snapshots.turnEnded(body.data.turnId);
      clock.stop();
      messages.failSteering();
      return work.background("go on after a turn", goOn(parts));
    case "question.requested":
    case "question.resolved":
    case "permission.requested":
    case "permission.resolved":
      return journal.state.questions.size + journal.state.permissions.size > 0 ? clock.pause() : clock.resume();
    case "message.updated":
      if (body.data.status === "queued") {
        hideSecrets(parts);
        snapshots.prepare();
      }
      return messages.tellWaiters(body.data);
    case "item.started":
      return body.data.item.kind === "tool_call" ? clock.openTool(body.data.item.itemId) : undefined;
    case "item.completed":
      snapshots.edited(body.data.item);
      return clock.closeItem(body.data.item.itemId);
    case "usage.updated":
      return stopOverBudget(parts);
    case "session.updated":
    case "session.ended":
      // The agent that was in the way is gone. While one is being opened, its opener goes on with the queue.
      if (journal.state.agentState === "asleep" && !current.isOpening) deliveries.drive();
      return;
    case "session.rewound":
    case "session.forked":
    case "agent.changed":
    case "session.started":
    case "plan.updated":
    case "error":
    case "agent.unparsed":
    case "budget.warned":
    case "snapshot.skipped":
    case "log.damaged":
      return;
  }
}

/** The opening becomes a name in lists: what this session and this machine keep secret is not for those. */
function hideSecrets({ journal, settings }: SessionParts): void {
  const { state } = journal;
  if (state.opening !== undefined) state.opening = settings.redactor.text(state.opening);
}

async function replaceWhenExpired({ clock, settings, lives }: SessionParts): Promise<void> {
  const cause = await clock.start(settings.limits);
  if (cause) await lives.replace(cause, "failed", limitMessage(cause, settings.limits));
}

/** After a turn: new settings, a checkpoint, the idle clock, the next message. */
async function goOn({ journal, lives, deliveries, recoveryState }: SessionParts): Promise<void> {
  // Nobody waits for the end of a turn to be on the disk: the next sync takes it along, after 50 ms at the latest.
  journal.flush();
  await lives.renew();
  await recoveryState.checkpointIfFar();
  lives.rest();
  deliveries.drive();
}

function stopOverBudget({ journal, settings, turns, current }: SessionParts): void {
  // Of a session that it counts, the gateway refuses the next request: an answer that is complete stays one.
  if (!journal.state.turn || isMetered(journal.state) || !isOverBudget(settings.limits, journal.state)) return;
  turns.setStopCause("budget_exceeded");
  current.tell({ type: "interrupt" });
}
