import { describe, expect, test } from "vitest";
import { PendingCalls, type RpcResponse } from "../../channel/json-rpc.ts";
import { addressTo, Threads } from "./threads.ts";

function makeThreads() {
  const calls = new PendingCalls("server:");
  const replies: RpcResponse[] = [];
  return { calls, replies, threads: new Threads(calls, (line) => replies.push(line)) };
}

const startTurn = (threadId: string, id: string) => ({ method: "turn/started", params: { threadId, turn: { id } } });
const spawned = (threadId: string, agentThreadId: string) => ({
  method: "item/started",
  params: { threadId, item: { type: "subAgentActivity", agentThreadId } },
});

describe("the lines of a server", () => {
  test("belong to the thread they name, answers to the thread that asked", () => {
    const { threads } = makeThreads();
    expect(threads.route({ method: "warning", params: { threadId: "t1" } })).toBe("t1");
    expect(threads.route({ method: "thread/started", params: { thread: { id: "t1" } } })).toBe("t1");
    const line = addressTo("t1", { id: "turn/start:m1", method: "turn/start", params: { input: [] } });
    expect(line).toEqual({ id: "t1//turn/start:m1", method: "turn/start", params: { threadId: "t1", input: [] } });
    expect(threads.route({ id: "t1//turn/start:m1", result: {} })).toBe("t1");
    expect(addressTo("t1", { id: 0, result: {} })).toEqual({ id: 0, result: {} });
  });

  test("that open a thread are its first line and an answer to us", async () => {
    const { threads, calls } = makeThreads();
    const { request, result } = calls.begin("thread/start", {}, 1_000);
    expect(threads.route({ id: request.id, result: { thread: { id: "t7" } } })).toBe("t7");
    expect(await result).toEqual({ thread: { id: "t7" } });
  });

  test("of nobody are taken when somebody waits for them", async () => {
    const { threads, calls } = makeThreads();
    const { request, result } = calls.begin("model/list", {}, 1_000);
    const answer = { id: request.id, result: { data: [] } };
    expect(threads.route(answer)).toBeNull();
    expect(threads.take(answer)).toBe(true);
    expect(threads.take(answer)).toBe(false);
    expect(await result).toEqual({ data: [] });
    expect(threads.route({ method: "configWarning", params: { summary: "x" } })).toBeNull();
  });

  test("that ask something nobody answers are refused, so that the server does not wait", () => {
    const { threads, replies } = makeThreads();
    expect(threads.take({ id: 3, method: "attestation/generate", params: {} })).toBe(false);
    expect(replies).toMatchObject([{ id: 3, error: { code: -32601 } }]);
  });
});

test("leaving a session ends its turns and commands, also those of its sub-agents", () => {
  const { threads } = makeThreads();
  threads.route(startTurn("t1", "turn1"));
  threads.adopts(spawned("t1", "child"));
  threads.adopts(spawned("child", "grandchild"));
  threads.route(startTurn("grandchild", "turn3"));
  threads.route(startTurn("t2", "turn2"));
  const lines = threads.closingLines("t1");
  expect(lines.map(({ method, params }) => [method, (params as { threadId: string }).threadId])).toEqual([
    ["turn/interrupt", "t1"],
    ["thread/backgroundTerminals/clean", "t1"],
    ["thread/backgroundTerminals/clean", "child"],
    ["turn/interrupt", "grandchild"],
    ["thread/backgroundTerminals/clean", "grandchild"],
    ["thread/unsubscribe", "child"],
    ["thread/unsubscribe", "grandchild"],
    ["thread/unsubscribe", "t1"],
  ]);
  expect(threads.closes({ id: lines.at(-1)?.id, result: {} })).toBe(true);
  expect(threads.closes({ id: lines[0]?.id, result: {} })).toBe(false);
});
