import type { Client } from "@muster/client";
import type { Output } from "@muster/node";
import type { Body, SendMessage, UniversalEvent } from "@muster/schema";
import { exitCodes } from "../environment/exit.ts";
import type { Requests } from "./requests.ts";

export interface TurnOptions {
  client: Client;
  sessionId: string;
  sent: SendMessage;
  output: Output;
  /** What is written for an event. */
  show(event: UniversalEvent): string;
  /** Absent where nobody is asked here. */
  requests?: Requests;
  /** Leaves without waiting for the end of the turn. */
  signal: AbortSignal;
}

/** Sends a message, shows its turn and asks what it asks. Resolves with the exit code that tells how it ended. */
export async function runTurn(options: TurnOptions): Promise<number> {
  const { client, sessionId, sent, output, show, requests, signal } = options;
  const stream = client.sessions.streamMessage({ sessionId, ...sent }, { signal });
  const events = stream[Symbol.asyncIterator]();
  /** What happens while somebody thinks about an answer is shown when it is given. */
  const held: UniversalEvent[] = [];
  const showHeld = async () => {
    for (const event of held.splice(0)) await output.write(show(event));
  };
  let code: number = exitCodes.problem;
  let next = events.next();
  for (;;) {
    const asking = requests?.asking;
    // The one that does not win is waited for in the next round; should there be none, nobody misses its error.
    next.catch(() => {});
    const first = await (asking === undefined ? next : Promise.race([next, asking]));
    if (first === undefined) {
      await showHeld();
      requests?.next();
      continue;
    }
    if (first.done) {
      await showHeld();
      return code;
    }
    next = events.next();
    const event = first.value;
    if (event.type === "turn.ended") code = turnCodes[event.data.status];
    // An interrupt before its turn has begun takes the message back.
    if (event.type === "message.updated" && event.data.status === "cancelled") code = exitCodes.interrupted;
    if (asking === undefined) await output.write(show(event));
    else held.push(event);
    requests?.see(event);
  }
}

/** How a turn ended → what the shell is told. */
export const turnCodes: Readonly<Record<Body<"turn.ended">["data"]["status"], number>> = {
  completed: exitCodes.ok,
  failed: exitCodes.problem,
  uncertain: exitCodes.problem,
  interrupted: exitCodes.interrupted,
};
