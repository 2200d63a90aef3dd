import { withEntry, withoutEntry } from "@muster/core";
import type { ZodError } from "zod";
import type { LifeFacts } from "../channel/open-life.ts";
import type { Converter, Input, Resume, Step } from "../converter/converter.ts";
import { emit } from "../converter/steps.ts";
import { unparsed } from "../converter/unparsed.ts";
import { deltaParts, itemOf, permissionOf, questionOf, todoStates, turnStatuses, usageOf } from "./read/translate.ts";
import { type Block, isMore, type MockNative, MockSays } from "./wire/native.ts";
import { writeCommand } from "./write/commands.ts";

export interface MockState {
  nextItem: number;
  /** block → item, for blocks that are open. */
  open: ReadonlyMap<string, string>;
  facts: LifeFacts;
  /** Where the agent works, as it says itself. */
  directory?: string;
}

export const mockConverter: Converter<MockState, MockNative> = {
  initial: (resume?: Resume) => ({ nextItem: resume?.nextItem ?? 1, open: new Map(), facts: { ready: false } }),

  step(state: MockState, input: Input<MockNative>): Step<MockState, MockNative> {
    if ("native" in input) return stepNative(state, input.native);
    if ("command" in input) return { state, bodies: [], replies: [writeCommand(input.command)] };
    return { state, bodies: [], replies: [] };
  },
};

function stepNative(state: MockState, native: MockNative): Step<MockState, MockNative> {
  if (isMore(native)) return stepSaid(state, native);
  const said = MockSays.safeParse(native);
  if (!said.success) return emit(state, unparsed(native, reasonOf(native, said.error), "mock"));
  return stepSaid(state, said.data);
}

function reasonOf(native: unknown, error: ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined || issue.path.length === 0) return "The line is not an object";
  if (issue.path[0] === "ev") return `Unknown line: ${JSON.stringify((native as { ev?: unknown }).ev)}`;
  return `${issue.path.join(".")}: ${issue.message}`;
}

function stepSaid(state: MockState, said: MockSays): Step<MockState, MockNative> {
  switch (said.ev) {
    case "block_more": {
      const itemId = state.open.get(said.block);
      if (itemId === undefined) return emit(state, unparsed(said, "More of a block that is not open", "mock"));
      return emit(state, {
        type: "item.delta",
        data: { itemId, index: said.at, part: deltaParts[said.to], delta: said.more },
      });
    }
    case "block_open":
      return openBlock(state, said);
    case "block_shut":
      return closeBlock(state, said);
    case "block": {
      const { pieces: _, ...bare } = said;
      const start = openBlock(state, { ...bare, state: "in_progress", pieces: [] });
      const end = closeBlock(start.state, said);
      return emit(end.state, ...start.bodies, ...end.bodies);
    }
    case "hello": {
      const { version: agentVersion, conversation: nativeSessionId, model, lost } = said;
      const facts = { agentVersion, nativeSessionId, model, contextLost: lost ? true : undefined };
      const next = { ...state, facts: { ready: true, ...facts }, directory: said.where };
      return emit(next, { type: "session.updated", data: facts });
    }
    case "refused":
      return emit({ ...state, facts: { ready: false, failure: { type: "token_error", message: said.text } } });
    case "settings": {
      const { model, mode: agentMode, variant, guard: permissionMode, title, version: agentVersion } = said;
      const { conversation: nativeSessionId, lost: contextLost } = said;
      const commands = said.commands?.map(({ name, more }) => ({ name, description: more }));
      const session = { nativeSessionId, agentVersion, commands, contextLost };
      const data = { model, agentMode, variant, permissionMode, title, ...session };
      return emit(state, { type: "session.updated", data });
    }
    case "turn_open":
      return said.by === "self" ? emit(state, { type: "turn.began", data: {} }) : emit(state);
    case "turn_shut": {
      const { outcome, trouble, prompts, spent, dollars, kept, result } = said;
      const place = kept === undefined ? undefined : { last: String(kept) };
      const status = turnStatuses[outcome];
      const why = { cause: trouble?.code, message: trouble?.text };
      const usage = spent === undefined ? undefined : usageOf(spent);
      const data = { ...why, messageIds: prompts, usage, costUsd: dollars, output: result, place };
      return emit(state, { type: "turn.finished", data: { status, ...data } });
    }
    case "joined":
      return emit(state, { type: "message.joined", data: { messageId: said.prompt } });
    case "todo": {
      const entries = said.list.map(({ text, is, weight }) => ({
        content: text,
        status: todoStates[is],
        priority: weight,
      }));
      return emit(state, { type: "plan.updated", data: { entries } });
    }
    case "spent":
      return emit(state, {
        type: "usage.updated",
        data: { ...usageOf(said.spent), costUsd: said.dollars },
      });
    case "trouble": {
      const { code, text: message, again: retryable, facts: details } = said;
      return emit(state, { type: "error", data: { code, message, retryable, details } });
    }
    case "ask": {
      const { ask: requestKey, about: kind, asks, prompts: allowedPrompts } = said;
      const itemId = itemIdOf(state, said.block);
      return emit(state, {
        type: "question.asked",
        data: { requestKey, kind, questions: asks.map(questionOf), itemId, allowedPrompts },
      });
    }
    case "may":
      return emit(state, {
        type: "permission.asked",
        data: permissionOf(said, itemIdOf(state, said.block), state.directory),
      });
    case "ruled": {
      const asked = permissionOf(said, itemIdOf(state, said.block), state.directory);
      const decision = said.allow ? "allow" : "reject";
      return emit(state, {
        type: "permission.decided",
        data: { ...asked, decision, message: said.words },
      });
    }
    case "never_mind":
      return emit(state, { type: "request.withdrawn", data: { requestKey: said.ask } });
    case "waiting":
      return emit(state, { type: "retry.announced", data: { untilMs: said.until } });
    // The ignorable lines: they carry nothing a client would want to know.
    case "heard":
    case "pulse":
    case "closed":
      return emit(state);
  }
}

function openBlock(state: MockState, block: Block): Step<MockState, MockNative> {
  if (state.open.has(block.block)) return emit(state, unparsed(block, "This block is open already", "mock"));
  const itemId = `item_${state.nextItem}`;
  const open = withEntry(state.open, block.block, itemId);
  const item = itemOf(block, { itemId, parentId: itemIdOf(state, block.inside) }, state.directory);
  return emit({ ...state, nextItem: state.nextItem + 1, open }, { type: "item.started", data: { item } });
}

/** A block that was never opened, or was shut before, is an item of its own: nothing an agent says disappears. */
function closeBlock(state: MockState, block: Block): Step<MockState, MockNative> {
  const itemId = state.open.get(block.block);
  if (itemId === undefined) {
    const start = openBlock(state, { ...block, state: "in_progress", pieces: [] });
    const end = closeBlock(start.state, block);
    return emit(end.state, ...start.bodies, ...end.bodies);
  }
  const open = withoutEntry(state.open, block.block);
  const item = itemOf(block, { itemId, parentId: itemIdOf(state, block.inside) }, state.directory);
  return emit({ ...state, open }, { type: "item.completed", data: { item } });
}

function itemIdOf(state: MockState, block: string | undefined): string | undefined {
  return block === undefined ? undefined : state.open.get(block);
}
