import type { Client } from "@muster/client";
import { useState } from "preact/hooks";
import type { Problem } from "../model/problem.ts";
import { useAttempt } from "../parts/use-attempt.ts";
import { codeOf } from "../store/failures.ts";
import { usePage } from "../store/page.tsx";

export interface Answering {
  answer(send: (sessions: Client["sessions"]) => Promise<unknown>): Promise<void>;
  isBusy: boolean;
  problem: Problem | undefined;
}

/** Sends an answer; when somebody else was faster the person is told so. */
export function useAnswer(onLate: () => void): Answering {
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const [isBusy, setBusy] = useState(false);
  const answer = async (send: (sessions: Client["sessions"]) => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    await attempt(async () => {
      try {
        await send(daemon.client.sessions);
      } catch (error) {
        if (codeOf(error) !== "already_resolved") throw error;
        onLate();
      }
    });
    setBusy(false);
  };
  return { answer, isBusy, problem };
}
