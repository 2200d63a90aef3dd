import { agentModeName, standingOf } from "@muster/codebuff-sdk";
import { replay } from "../transcript/replay.ts";
import type { Conversation } from "./conversation.ts";

/** The words of the last task of agent mode when it did not come to its end; undefined when the last run was another. */
export async function interruptedTask(conversation: Conversation): Promise<string | undefined> {
  const { sessionId } = conversation;
  if (sessionId === undefined) return undefined;
  const page = await conversation.page(sessionId, { limit: 50, beginsWith: "run" });
  const entries = standingOf(page.entries);
  const run = entries.findLast(({ type }) => type === "run");
  if (run?.type !== "run" || run.agent !== agentModeName) return undefined;
  const after = entries.slice(entries.indexOf(run));
  if (after.some((entry) => entry.type === "end" && entry.status === "completed")) return undefined;
  return replay(after).find((entry) => entry.type === "user_message")?.text;
}
