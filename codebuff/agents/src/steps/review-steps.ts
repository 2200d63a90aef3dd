import type { HandleSteps } from "@muster/codebuff-protocol";
import { call } from "./calls.ts";

/** Puts what changed before the reviewer's eyes; outside of git the conversation has to do. */
export const review: HandleSteps = function* () {
  yield call("run_terminal_command", { command: "git --no-pager diff HEAD", timeout_seconds: 15 });
  yield "STEP_ALL";
};
