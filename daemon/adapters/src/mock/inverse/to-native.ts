import type { Body, EventBody, EventType } from "@muster/schema";
import { present } from "../../converter/present.ts";
import type { MockSays } from "../read/native.ts";
import { askOf, blockOf, deltaWords, grantOf, spentOf, todoOf, turnWords } from "../read/translate.ts";

/** The line with which the agent would have said this; null for what `unsayable` lists. */
export function toNative(body: EventBody): MockSays | null {
  return unsayable.some((exception) => exception.holds(body)) ? null : nativeLine(body);
}

/** Where the two-way law does not hold for this agent, and why. */
export const unsayable: readonly { what: string; why: string; holds: (body: EventBody) => boolean }[] = [
  {
    what: "session.started, session.ended, question.resolved, permission.resolved",
    why: "the daemon makes them; the agent knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "question.resolved", "permission.resolved"),
  },
  { what: "agent.unparsed", why: "it is what has no form in the agent's words", holds: isOneOf("agent.unparsed") },
  {
    what: "message.updated other than joined",
    why: "the agent only tells that a message joined its turn",
    holds: (body) => body.type === "message.updated" && body.data.status !== "joined",
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended with status uncertain",
    why: "only the daemon can be uncertain",
    holds: (body) => body.type === "turn.ended" && body.data.status === "uncertain",
  },
  {
    what: "session.updated with agentState",
    why: "sleep is the daemon's decision",
    holds: (body) => body.type === "session.updated" && body.data.agentState !== undefined,
  },
  {
    what: "items with supersededBy",
    why: "the agent never replaces an item",
    holds: (body) => "item" in body.data && body.data.item.supersededBy !== undefined,
  },
];

function nativeLine(body: EventBody): MockSays | null {
  switch (body.type) {
    case "item.started":
      return { ev: "block_open", ...blockOf(body.data.item) };
    case "item.completed":
      return { ev: "block_shut", ...blockOf(body.data.item) };
    case "item.delta": {
      const { itemId: block, index: at, part, delta: more } = body.data;
      return { ev: "block_more", block, at, to: deltaWords[part], more };
    }
    case "plan.updated":
      return { ev: "todo", list: body.data.entries.map(todoOf) };
    case "usage.updated":
      return { ev: "spent", spent: spentOf(body.data), ...present({ dollars: body.data.costUsd }) };
    case "error": {
      const { code, message: text, retryable: again, details: facts } = body.data;
      return { ev: "trouble", code, text, again, ...present({ facts }) };
    }
    case "session.updated":
      return settings(body);
    case "message.updated":
      return { ev: "joined", prompt: body.data.messageId };
    case "turn.started":
      return { ev: "turn_open", by: "self" };
    case "turn.ended":
      return turnShut(body);
    case "question.requested": {
      const { questionId: ask, kind: about, itemId: block, questions, allowedPrompts: prompts } = body.data;
      return { ev: "ask", ask, about, asks: questions.map(askOf), ...present({ block, prompts }) };
    }
    case "permission.requested": {
      const { permissionId: requestKey, action, title, itemId, detail, alwaysScope } = body.data;
      return { ev: "may", ...grantOf({ requestKey, action, title, alwaysScope, ...present({ itemId, detail }) }) };
    }
    case "session.started":
    case "session.ended":
    case "question.resolved":
    case "permission.resolved":
    case "agent.unparsed":
      return null;
  }
}

function settings({ data }: Body<"session.updated">): MockSays {
  const { model, agentMode: mode, variant, permissionMode: guard, title, nativeSessionId, agentVersion } = data;
  const commands = data.commands?.map(({ name, description }) => ({ name, ...present({ more: description }) }));
  const session = { conversation: nativeSessionId, version: agentVersion, lost: data.contextLost, commands };
  return { ev: "settings", ...present({ model, mode, variant, guard, title, ...session }) };
}

function turnShut({ data }: Body<"turn.ended">): MockSays | null {
  if (data.status === "uncertain") return null;
  const { cause: code, message: text, usage, costUsd: dollars, output: result } = data;
  const trouble = code === undefined && text === undefined ? undefined : present({ code, text });
  const spent = usage === undefined ? undefined : spentOf(usage);
  return { ev: "turn_shut", outcome: turnWords[data.status], ...present({ trouble, spent, dollars, result }) };
}

function isOneOf(...types: EventType[]): (body: EventBody) => boolean {
  return (body) => types.includes(body.type);
}
