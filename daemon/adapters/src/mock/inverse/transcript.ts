import type { Body, EventBody } from "@muster/schema";
import { askOf, blockOf, deltaWords, grantOf, spentOf, todoOf, turnWords } from "../read/translate.ts";
import type { MockSays } from "../wire/native.ts";

/** The lines with which the mock would have said this. Blocks have the names of items, because deltas name those. */
export function linesOf(body: EventBody): MockSays[] {
  switch (body.type) {
    case "item.started":
      return [{ ev: "block_open", ...blockOf(body.data.item) }];
    case "item.completed":
      return [{ ev: "block_shut", ...blockOf(body.data.item) }];
    case "item.delta": {
      const { itemId: block, index: at, part, delta: more } = body.data;
      return [{ ev: "block_more", block, at, to: deltaWords[part], more }];
    }
    case "plan.updated":
      return [{ ev: "todo", list: body.data.entries.map(todoOf) }];
    case "usage.updated":
      return [{ ev: "spent", spent: spentOf(body.data), dollars: body.data.costUsd }];
    case "error": {
      const { code, message: text, retryable: again, details: facts } = body.data;
      return [{ ev: "trouble", code, text, again, facts }];
    }
    case "session.updated":
      return [settings(body)];
    case "turn.started":
      return [{ ev: "turn_open", by: "self" }];
    case "turn.ended":
      return [turnShut(body)];
    case "question.requested": {
      const { questionId: ask, kind: about, itemId: block, questions, allowedPrompts: prompts } = body.data;
      return [{ ev: "ask", ask, about, asks: questions.map(askOf), block, prompts }];
    }
    case "permission.requested": {
      const { permissionId: requestKey, action, title, itemId, detail, alwaysScope } = body.data;
      return [{ ev: "may", ...grantOf({ requestKey, action, title, alwaysScope, itemId, detail }) }];
    }
    case "question.resolved":
      return [{ ev: "never_mind", ask: body.data.questionId }];
    case "permission.resolved":
      return [{ ev: "never_mind", ask: body.data.permissionId }];
    case "session.started":
    case "session.ended":
    case "message.updated":
    case "agent.unparsed":
    case "log.damaged":
      return [];
  }
}

function settings({ data }: Body<"session.updated">): MockSays {
  const { model, agentMode: mode, variant, permissionMode: guard, title, nativeSessionId, agentVersion } = data;
  const commands = data.commands?.map(({ name, description }) => ({ name, more: description }));
  const session = { conversation: nativeSessionId, version: agentVersion, lost: data.contextLost, commands };
  return { ev: "settings", model, mode, variant, guard, title, ...session };
}

function turnShut({ data }: Body<"turn.ended">): MockSays {
  const { status, cause: code, message: text, usage, costUsd: dollars, output: result } = data;
  const trouble = code === undefined && text === undefined ? undefined : { code, text };
  const outcome = turnWords[status === "uncertain" ? "failed" : status];
  return { ev: "turn_shut", outcome, trouble, spent: usage && spentOf(usage), dollars, result };
}
