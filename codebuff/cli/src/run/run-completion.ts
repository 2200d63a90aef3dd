import type { RunState } from "@muster/codebuff-protocol";
import type { Tone } from "../transcript/items.ts";

export interface Remark {
  readonly tone: Tone;
  readonly text: string;
}

/** The first frame says it too, before anything was asked. */
export const noKeyText =
  "There is no key yet. Three ways to begin:\n  a key of your own     export ANTHROPIC_API_KEY=… (or OPENAI_, OPENROUTER_, GEMINI_API_KEY)\n  a Codebuff server     /login\n  offline, to try it    codebuff --demo";

/** What to do about the errors a person can do something about (B-28). */
const advice: Readonly<Record<string, string>> = {
  out_of_credits:
    "You are out of credits.\n/usage shows the account, /mode:free goes on without credits, and with a key of your own\n(ANTHROPIC_API_KEY, OPENAI_API_KEY …) codebuff needs no account. What you typed is in the history: Up brings it back.",
  free_mode_unavailable:
    "Free mode is not offered where you are.\n/mode:default goes on with credits; a key of your own works everywhere.",
  no_credentials: noKeyText,
  bad_credentials:
    "The key was refused. /diagnostics names the key and where it was found; a new one holds from the next start on.",
  account_suspended: "The account is suspended. /logout forgets it; a key of your own works without one.",
  rate_limit_exceeded:
    "The limit of the subscription is reached. It opens again with the next block; /usage shows when.",
  budget_exceeded: "The budget of this command (--budget) is used up.",
};

/** The last part of a prompt's way: what is said about an end the person has to know more of. */
export function handleRunCompletion({ output }: RunState): Remark | undefined {
  if (output.type !== "error") return undefined;
  const { error: code = "", statusCode } = output;
  const known =
    advice[statusCode === 402 ? "out_of_credits" : code] ?? (statusCode === 401 ? advice.bad_credentials : undefined);
  return known === undefined ? undefined : { tone: "warning", text: known };
}
