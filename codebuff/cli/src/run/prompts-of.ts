import { standingOf } from "@muster/codebuff-sdk";
import { replay } from "../transcript/replay.ts";
import type { Conversation } from "./conversation.ts";

export interface Prompt {
  readonly text: string;
  /** The last entry that stands before its run. */
  readonly before: number;
}

/** Every prompt of a session and where it begins, the oldest first; what was taken back is left out. */
export async function promptsOf(conversation: Pick<Conversation, "page">, sessionId: string): Promise<Prompt[]> {
  const { entries } = await conversation.page(sessionId, { limit: Number.MAX_SAFE_INTEGER });
  const prompts: Prompt[] = [];
  let runAt = 0;
  for (const entry of standingOf(entries)) {
    if (entry.type === "run") runAt = entry.n;
    if (entry.type !== "append") continue;
    for (const shown of replay([entry])) {
      if (shown.type === "user_message") prompts.push({ text: shown.text, before: runAt - 1 });
    }
  }
  // A prompt that steered a run belongs to that run.
  return prompts.filter(({ before }, at) => before !== prompts[at - 1]?.before);
}
