import type { Body } from "@muster/schema";
import type { Transcript } from "../../converter/line-writer.ts";
import { askOf, blockOf, deltaWords, grantOf, spentOf, todoOf, turnWords } from "../read/translate.ts";
import type { MockSays } from "../wire/native.ts";

/** The lines with which the mock would have said it. Blocks have the names of items, because deltas name those. */
export const mockTranscript: Transcript<MockSays> = {
  says: {
    "item.started": ({ item }) => [{ ev: "block_open", ...blockOf(item) }],
    "item.completed": ({ item }) => [{ ev: "block_shut", ...blockOf(item) }],
    "item.delta": ({ itemId: block, index: at, part, delta: more }) => [
      { ev: "block_more", block, at, to: deltaWords[part], more },
    ],
    "plan.updated": ({ entries }) => [{ ev: "todo", list: entries.map(todoOf) }],
    "usage.updated": ({ costUsd: dollars, ...usage }) => [{ ev: "spent", spent: spentOf(usage), dollars }],
    error: ({ code, message: text, retryable: again, details: facts }) => [{ ev: "trouble", code, text, again, facts }],
    "session.updated": (data) => [settings(data)],
    "turn.started": () => [{ ev: "turn_open", by: "self" }],
    "turn.ended": (data) => [turnShut(data)],
    "question.requested": ({ questionId: ask, kind: about, itemId: block, questions, allowedPrompts: prompts }) => [
      { ev: "ask", ask, about, asks: questions.map(askOf), block, prompts },
    ],
    "permission.requested": ({ permissionId: requestKey, ...asked }) => [
      { ev: "may", ...grantOf({ requestKey, ...asked }) },
    ],
    "question.resolved": ({ questionId: ask }) => [{ ev: "never_mind", ask }],
    "permission.resolved": ({ permissionId: ask }) => [{ ev: "never_mind", ask }],
  },
};

function settings(data: Body<"session.updated">["data"]): MockSays {
  const { model, agentMode: mode, variant, permissionMode: guard, title, nativeSessionId, agentVersion } = data;
  const commands = data.commands?.map(({ name, description }) => ({ name, more: description }));
  const session = { conversation: nativeSessionId, version: agentVersion, lost: data.contextLost, commands };
  return { ev: "settings", model, mode, variant, guard, title, ...session };
}

function turnShut(data: Body<"turn.ended">["data"]): MockSays {
  const { status, cause: code, message: text, usage, costUsd: dollars, output: result } = data;
  const trouble = code === undefined && text === undefined ? undefined : { code, text };
  const outcome = turnWords[status === "uncertain" ? "failed" : status];
  return { ev: "turn_shut", outcome, trouble, spent: usage && spentOf(usage), dollars, result };
}
