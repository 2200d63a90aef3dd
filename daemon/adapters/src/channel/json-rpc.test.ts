import { expect, test } from "vitest";
import { isRequest, isResponse, isRpcMessage, PendingCalls, RpcFailure } from "./json-rpc.ts";

test("what a message is is told by its id and its method", () => {
  expect([{ id: 1, method: "a" }, { method: "a" }, { id: 1, result: null }].map(isRpcMessage)).toEqual([
    true,
    true,
    true,
  ]);
  expect([null, 1, "a", [], {}, { id: 1 }, { id: {}, method: "a" }, { method: 1 }].some(isRpcMessage)).toBe(false);
  expect(isRequest({ id: 0, method: "a" })).toBe(true);
  expect(isRequest({ method: "a" })).toBe(false);
  expect(isResponse({ id: 0, result: {} })).toBe(true);
});

test("an answer goes to whom it is for, once", async () => {
  const calls = new PendingCalls("x");
  const first = calls.begin("one", {}, 10_000);
  const second = calls.begin("two", {}, 10_000);
  expect(first.request.id).not.toBe(second.request.id);
  expect(calls.settle({ id: second.request.id, result: 2 })).toBe(true);
  expect(calls.settle({ id: second.request.id, result: 2 })).toBe(false);
  expect(calls.settle({ id: first.request.id, error: { code: -1, message: "no", data: { why: 1 } } })).toBe(true);
  expect(await second.result).toBe(2);
  await expect(first.result).rejects.toMatchObject({ code: -1, message: "no", data: { why: 1 } });
  await expect(first.result).rejects.toBeInstanceOf(RpcFailure);
});

test("a wait ends: with its time, or with the other side", async () => {
  const calls = new PendingCalls("x");
  await expect(calls.begin("slow", {}, 10).result).rejects.toThrow("No answer to slow within 10 ms");
  const { result } = calls.begin("gone", {}, 60_000);
  calls.failAll(new Error("it ended"));
  await expect(result).rejects.toThrow("it ended");
});
