import { useObservable } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { type Problem, problemOf } from "../model/problem.ts";
import { isTransient } from "../store/failures.ts";
import { usePage } from "../store/page.tsx";

export interface Attempt {
  problem: Problem | undefined;
  /** Does it; resolves with whether it was done. What went wrong is `problem` until the next attempt. */
  attempt(task: () => Promise<unknown>): Promise<boolean>;
  /** For when its cause is gone: the person has changed what was wrong. */
  forget(): void;
}

/** What one part of the page tries, and why it was not done. A daemon that could not be reached is forgotten when it is back. */
export function useAttempt(): Attempt {
  const { daemon, list } = usePage();
  useObservable(list);
  const [failed, setFailed] = useState<{ problem: Problem; isPassing: boolean }>();
  const attempt = async (task: () => Promise<unknown>) => {
    setFailed(undefined);
    try {
      await task();
      return true;
    } catch (error) {
      if (!daemon.locksOn(error)) setFailed({ problem: problemOf(error), isPassing: isTransient(error) });
      return false;
    }
  };
  useEffect(() => {
    if (list.state === "live" && failed?.isPassing) setFailed(undefined);
  }, [list.state]);
  return { problem: failed?.problem, attempt, forget: () => setFailed(undefined) };
}
