import type { Session } from "@muster/schema";

const words = {
  starting: "starting",
  idle: "idle",
  running: "working",
  waiting: "waits for you",
  asleep: "asleep",
  ended: "ended",
  unreadable: "unreadable",
} as const satisfies Record<Session["state"], string>;

/** In words: the colour alone would not tell everybody. */
export function StatePill({ session }: { session: Session }) {
  const isWaiting = session.pendingRequests > 0;
  const state = isWaiting ? "waiting" : session.healthy ? session.state : "unhealthy";
  return <span class={`pill ${state}`}>{state === "unhealthy" ? "cannot start" : words[state]}</span>;
}
