import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/conversion/arbitrary-commands.ts";
import { snapshotOf } from "../../test/snapshot-of.ts";
import type { Command } from "../commands.ts";
import { codexConverter } from "./converter.ts";
import type { CodexNative } from "./wire/native.ts";
import type { CodexState } from "./wire/state.ts";

const converter = codexConverter({ permissionMode: "default" });
const step = (state: CodexState, native: unknown) => converter.step(state, { native: native as CodexNative });
const lines = (state: CodexState, ...natives: unknown[]) =>
  natives.reduce<CodexState>((current, native) => step(current, native).state, state);

const opened = { id: 1, result: { thread: { id: "thread", cliVersion: "0.166.0" }, model: "m", cwd: "/w" } };
const running = lines(
  converter.step(lines(converter.initial(), opened), {
    command: { type: "message", messageId: "m0", text: "go", attachments: [] },
  }).state,
  { method: "turn/started", params: { threadId: "thread", turn: { id: "turn", status: "inProgress" } } },
);

describe("the converter", () => {
  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(json, (native) => {
        expect(step(converter.initial(), native).bodies).toMatchObject([{ type: "agent.unparsed" }]);
      }),
    );
  });

  test("says what it did not understand", () => {
    const errors = [
      42,
      { method: "thread/dream", params: {} },
      { method: "item/agentMessage/delta", params: { threadId: "thread" } },
      { method: "item/agentMessage/delta", params: { threadId: "thread", itemId: "x", delta: "y" } },
    ]
      .flatMap((native) => step(running, native).bodies)
      .map((body) => (body.type === "agent.unparsed" ? body.data.error : body.type));
    expect(errors).toEqual([
      "The line is no JSON-RPC message",
      "Unknown notification: thread/dream",
      "item/agentMessage/delta itemId: Invalid input: expected string, received undefined",
      "Text of an item that is not open",
    ]);
  });

  test("refuses what Codex asks and nobody here can answer, so that it does not wait", () => {
    const { bodies, replies } = step(running, { id: 7, method: "item/tool/call", params: { threadId: "thread" } });
    expect(bodies).toMatchObject([{ type: "agent.unparsed" }]);
    expect(replies).toEqual([
      { id: 7, error: { code: -32601, message: "This client does not answer item/tool/call" } },
    ]);
  });

  test("leaves the state it was given as it was", () => {
    const snapshot = snapshotOf(running);
    const item = { type: "agentMessage", id: "a", text: "" };
    const begun = step(running, { method: "item/started", params: { threadId: "thread", item } });
    expect(snapshotOf(running)).toEqual(snapshot);
    const second = snapshotOf(begun.state);
    step(begun.state, { method: "item/agentMessage/delta", params: { threadId: "thread", itemId: "a", delta: "x" } });
    step(begun.state, { method: "item/completed", params: { threadId: "thread", item: { ...item, text: "x" } } });
    expect(snapshotOf(begun.state)).toEqual(second);
  });

  test("numbers items on from the life before", () => {
    const resume = { nextItem: 12, totals: { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 } };
    const item = { type: "agentMessage", id: "a", text: "" };
    const { bodies } = step(converter.initial(resume), { method: "item/started", params: { threadId: "t", item } });
    expect(bodies).toMatchObject([{ type: "item.started", data: { item: { itemId: "item_12" } } }]);
  });

  test("an interrupt before Codex has named the turn is sent as soon as it has", () => {
    const message: Command = { type: "message", messageId: "m1", text: "go", attachments: [] };
    const given = converter.step(lines(converter.initial(), opened), { command: message }).state;
    const wanted = converter.step(given, { command: { type: "interrupt" } });
    expect(wanted.replies).toEqual([]);
    const named = step(wanted.state, {
      id: "thread//turn/start:m1",
      result: { turn: { id: "t9", status: "inProgress" } },
    });
    expect(named.replies).toMatchObject([{ method: "turn/interrupt", params: { turnId: "t9" } }]);
  });

  describe("a command that runs when its turn ends", () => {
    const item = { type: "commandExecution", id: "c", command: "sleep 9", cwd: "/w", status: "inProgress" };
    const begun = lines(running, { method: "item/started", params: { threadId: "thread", item } });
    const endTurn = (status: string): CodexNative => {
      return { method: "turn/completed", params: { threadId: "thread", turn: { id: "turn", status } } };
    };
    const endItem: CodexNative = {
      method: "item/completed",
      params: { threadId: "thread", item: { ...item, status: "failed", exitCode: -1, aggregatedOutput: "half" } },
    };

    test("is cancelled with it by an interrupt; what it printed is told when Codex tells it", () => {
      const { bodies, state } = step(begun, endTurn("interrupted"));
      expect(bodies[0]).toMatchObject({
        type: "item.completed",
        data: { item: { itemId: "item_1", status: "cancelled" } },
      });
      expect(bodies[1]).toMatchObject({ type: "turn.finished" });
      const status = { kind: "status", nativeItemId: "c" };
      const content = [{ type: "status", label: "late_item", detail: "commandExecution ended: half" }];
      expect(step(state, endItem).bodies).toMatchObject([
        { type: "item.started", data: { item: status } },
        { type: "item.completed", data: { item: { ...status, content } } },
      ]);
    });

    test("goes on in the background otherwise, as an item that takes the place of its call", () => {
      const { bodies, state } = step(begun, endTurn("completed"));
      expect(bodies).toMatchObject([
        { type: "item.completed", data: { item: { itemId: "item_1", status: "cancelled", supersededBy: "item_2" } } },
        { type: "item.started", data: { item: { itemId: "item_2", background: true, content: [{ callId: "c" }] } } },
        { type: "turn.finished" },
      ]);
      expect(step(state, endItem).bodies).toMatchObject([
        { type: "item.completed", data: { item: { itemId: "item_2", background: true, status: "failed" } } },
        { type: "item.started" },
        { type: "item.completed", data: { item: { kind: "tool_result", status: "failed" } } },
      ]);
    });

    test("no other is in the background", () => {
      expect(JSON.stringify(step(begun, endItem).bodies)).not.toContain("background");
    });
  });

  test("a turn that Codex refuses to start has failed", () => {
    const { bodies } = step(running, { id: "thread//turn/start:m0", error: { code: -32600, message: "no" } });
    expect(bodies).toMatchObject([
      { type: "turn.finished", data: { status: "failed", cause: "agent_error", message: "no", messageIds: ["m0"] } },
    ]);
  });

  test("usage is counted from the turn's beginning, whatever the thread used before", () => {
    const usage = (total: number, last: number) => {
      const tokens = (count: number) => ({
        totalTokens: count,
        inputTokens: count,
        cachedInputTokens: 0,
        outputTokens: 0,
        reasoningOutputTokens: 0,
      });
      const tokenUsage = { total: tokens(total), last: tokens(last), modelContextWindow: 100 };
      return { method: "thread/tokenUsage/updated", params: { threadId: "thread", tokenUsage } };
    };
    const first = step(running, usage(500, 20));
    expect(first.bodies).toMatchObject([{ data: { inputTokens: 20 } }]);
    expect(step(first.state, usage(530, 30)).bodies).toMatchObject([{ data: { inputTokens: 50, contextTokens: 30 } }]);
    const atRest = lines(converter.initial(), opened, usage(500, 20));
    expect(step(lines(converter.initial(), opened), usage(500, 20)).bodies).toEqual([]);
    const begun = converter.step(atRest, { command: { type: "message", messageId: "m", text: "", attachments: [] } });
    expect(step(begun.state, usage(510, 10)).bodies).toMatchObject([{ data: { inputTokens: 10 } }]);
  });
});
