import { type HandleSteps, type StepLogger, StepYield } from "@muster/codebuff-protocol";
import type { Log, Steps, StepsStart } from "../ports.ts";

/** Runs a local agent's `handleSteps` in this process, so that its closures work. */
export function startLocalSteps(handleSteps: HandleSteps, start: StepsStart): Steps {
  const { agentState, prompt, params, log } = start;
  const generator = handleSteps({ agentState, prompt, params, logger: loggerOf(log) });
  let isOpen = true;
  return {
    async next(reply) {
      if (!isOpen) return { type: "return" };
      // The first resume of a generator has no yield to answer; what it is given is ignored.
      const step = generator.next(reply as NonNullable<typeof reply>);
      if (step.done) {
        isOpen = false;
        return { type: "return" };
      }
      return checkYield(step.value);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      generator.return();
    },
  };
}

/** What a generator yielded, or an error that says what would have been right. */
export function checkYield(value: unknown): StepYield {
  const checked = StepYield.safeParse(asJson(value));
  if (checked.success) return checked.data;
  throw new Error(
    `handleSteps yielded ${describe(value)}; expected "STEP", "STEP_ALL", a STEP_TEXT, a GENERATE_N or a tool call {toolName, input}`,
  );
}

/** As it would travel: optional fields that are undefined do not make a call wrong. */
function asJson(value: unknown): unknown {
  if (typeof value !== "object") return value;
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined; // circular: no yield
  }
}

function describe(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200);
  } catch {
    return "something that is not JSON"; // a circular value: its kind is all that can be said
  }
}

function loggerOf(log: Log): StepLogger {
  const quiet = () => undefined;
  const say = (data: unknown, message?: string) => log.warn([message, describe(data)].filter(Boolean).join(" "));
  return { debug: quiet, info: quiet, warn: say, error: say };
}
