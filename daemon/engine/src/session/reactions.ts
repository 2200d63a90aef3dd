import type { EventBody } from "@muster/schema";
import type { Deliveries } from "./delivery/deliveries.ts";
import type { Lives } from "./life/lives.ts";
import type { OngoingWork } from "./life/ongoing-work.ts";
import type { CurrentLife } from "./state/agent-life.ts";
import { isOverBudget } from "./state/budget.ts";
import type { Journal } from "./state/journal.ts";
import type { RecoveryState } from "./state/recovery-state.ts";
import type { SessionSettings } from "./state/session-settings.ts";
import type { Messages } from "./turn/messages.ts";
import { limitMessage } from "./turn/plain-message.ts";
import type { TurnClock } from "./turn/turn-clock.ts";
import type { TurnSpan } from "./turn/turn-span.ts";
import type { Turns } from "./turn/turns.ts";

export interface ReactionsParts {
  journal: Journal;
  settings: Pick<SessionSettings, "limits">;
  clock: TurnClock;
  span: TurnSpan;
  turns: Turns;
  messages: Messages;
  current: CurrentLife;
  lives: Lives;
  deliveries: Deliveries;
  recoveryState: RecoveryState;
  work: OngoingWork;
}

/** What each event sets off in its session, called when it has been folded. No part calls another one above it: it emits. */
export function react(body: EventBody, parts: ReactionsParts): void {
  // Nearly every event is one, and none sets anything off.
  if (body.type === "item.delta") return;
  const { journal, clock, span, messages, current, deliveries, work } = parts;
  switch (body.type) {
    case "turn.started":
      span.start(body.data, journal.state);
      return work.background("end a silent turn", replaceWhenExpired(parts));
    case "turn.ended":
      span.end(body.data);
      clock.stop();
      messages.failSteering();
      messages.tellWaiters();
      return work.background("go on after a turn", goOn(parts));
    case "question.requested":
    case "question.resolved":
    case "permission.requested":
    case "permission.resolved":
      return isAskingPeople(journal) ? clock.pause() : clock.resume();
    case "message.updated":
      return messages.tellWaiters();
    case "usage.updated":
      return stopOverBudget(parts);
    case "session.updated":
    case "session.ended":
      // The agent that was in the way is gone. While one is being opened, its opener goes on with the queue.
      if (journal.state.agentState === "asleep" && !current.isOpening) deliveries.drive();
      return;
    case "session.started":
    case "item.started":
    case "item.completed":
    case "plan.updated":
    case "error":
    case "agent.unparsed":
    case "log.damaged":
      return;
  }
}

async function replaceWhenExpired({ clock, settings, lives }: ReactionsParts): Promise<void> {
  const cause = await clock.start(settings.limits);
  if (cause) await lives.replace(cause, "failed", limitMessage(cause, settings.limits));
}

/** After a turn: new settings, a checkpoint, the idle clock, the next message. */
async function goOn({ journal, lives, deliveries, recoveryState }: ReactionsParts): Promise<void> {
  // Nobody waits for the end of a turn to be on the disk: the next sync takes it along, after 50 ms at the latest.
  journal.flush();
  await lives.renew();
  await recoveryState.checkpointIfFar();
  lives.rest();
  deliveries.drive();
}

function isAskingPeople({ state }: Journal): boolean {
  return Object.keys(state.questions).length + Object.keys(state.permissions).length > 0;
}

function stopOverBudget({ journal, settings, turns, current }: ReactionsParts): void {
  if (!journal.state.turn || !isOverBudget(settings.limits, journal.state)) return;
  turns.setStopCause("budget_exceeded");
  current.tell({ type: "interrupt" });
}
