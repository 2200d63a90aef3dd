import type { Client } from "@muster/client";
import { useState } from "preact/hooks";
import { codeOf } from "../store/failures.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";

/** Sends an answer; when somebody else was faster the person is told so. */
export function useAnswer(_log: SessionLog) {
  const { daemon, notices } = usePage();
  const [isBusy, setBusy] = useState(false);
  const answer = async (send: (sessions: Client["sessions"]) => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    await notices.attempt(daemon, async () => {
      try {
        await send(daemon.client.sessions);
      } catch (error) {
        if (codeOf(error) !== "already_resolved") throw error;
        notices.tell("It has been answered already, somewhere else.");
      }
    });
    setBusy(false);
  };
  return { answer, isBusy };
}
