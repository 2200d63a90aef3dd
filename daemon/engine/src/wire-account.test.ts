import type { ModelRequest } from "@muster/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyWire, foldRequest, storedWire, usageReport, wireAfter, wireFrom, wireOf } from "./wire-account.ts";

const request = (requestId: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  requestId,
  state: "settled",
  provider: "anthropic",
  protocol: "messages",
  model: "claude-haiku-4-5",
  requests: 1,
  inputTokens: 100,
  cachedInputTokens: 0,
  outputTokens: 10,
  reasoningTokens: 0,
  listUsd: 0.001,
  ...more,
});

test("what a request reserved is replaced by what it turned out to be, in every sum", () => {
  const account = emptyWire();
  foldRequest(account, request("a", { state: "open", inputTokens: 400, outputTokens: 0, subAgent: "scout" }), "turn_1");
  expect(wireOf(account, "turn_1")).toMatchObject({ requests: 1, inputTokens: 400, open: 1 });
  foldRequest(account, request("a", { inputTokens: 90, subAgent: "scout", billedUsd: 0.0009 }), "turn_1");
  const spent = {
    requests: 1,
    tokens: { input: 90, cached: 0, output: 10, reasoning: 0 },
    listUsd: 0.001,
    billedUsd: 0.0009,
    open: undefined,
    estimated: undefined,
  };
  expect(usageReport(account)).toEqual({
    ...spent,
    byModel: [{ provider: "anthropic", model: "claude-haiku-4-5", ...spent }],
    byTurn: [{ turnId: "turn_1", ...spent }],
    bySubAgent: [{ subAgent: "scout", ...spent }],
  });
});

test("a request belongs to the turn it began in, however late it is over", () => {
  const account = emptyWire();
  foldRequest(account, request("a", { state: "open" }), "turn_1");
  foldRequest(account, request("a", { outputTokens: 77 }), "turn_2");
  expect(wireOf(account, "turn_1")).toMatchObject({ requests: 1, outputTokens: 77 });
  expect(wireOf(account, "turn_2")).toBeUndefined();
});

test("names that somebody makes up do not fill the memory, and what they cost is counted", () => {
  const account = emptyWire();
  for (let at = 0; at < 1_500; at++) {
    foldRequest(account, request(`r${at}`, { model: `m${at}`, subAgent: `s${at}` }), `turn_${at}`);
  }
  const { requests, byModel, byTurn, bySubAgent } = usageReport(account);
  expect({ requests, models: byModel.length, turns: byTurn.length, subAgents: bySubAgent.length }).toEqual({
    requests: 1_500,
    models: 201,
    turns: 1_000,
    subAgents: 201,
  });
  expect(byModel.reduce((sum, one) => sum + one.requests, 0)).toBe(1_500);
  expect(byTurn.at(-1)?.turnId).toBe("turn_1499");
});

const nano = fc.integer({ min: 0, max: 5_000_000_000_000 });
const step = fc.record({
  id: fc.integer({ min: 0, max: 8 }),
  isOver: fc.boolean(),
  input: fc.nat(1e6),
  cost: nano,
  billed: fc.option(nano, { nil: undefined }),
  turn: fc.constantFrom(undefined, "turn_1", "turn_2"),
  model: fc.constantFrom("one", "two", "__proto__"),
});

test("sums are exact to a billionth of a dollar, and the same after any checkpoint", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(60), (steps, cut) => {
      let account = emptyWire();
      const last = new Map<string, { cost: number; input: number }>();
      const done: { cost: number; input: number }[] = [];
      for (const [at, { id, isOver, input, cost, billed, turn, model }] of steps.entries()) {
        if (at === cut) account = wireFrom(JSON.parse(JSON.stringify(storedWire(account))));
        const known = account.open.get(String(id))?.request;
        const told = request(String(id), {
          state: isOver ? "settled" : "open",
          inputTokens: input,
          listUsd: cost / 1e9,
          billedUsd: billed === undefined ? undefined : billed / 1e9,
          model: known?.model ?? model,
        });
        const turnId = known ? account.open.get(String(id))?.turnId : turn;
        const expected = wireAfter(account, told, turnId);
        foldRequest(account, told, turn);
        expect(wireOf(account, turnId)).toEqual(expected);
        if (isOver) {
          done.push({ cost, input });
          last.delete(String(id));
        } else last.set(String(id), { cost, input });
      }
      const all = [...done, ...last.values()];
      expect(account.total).toMatchObject({
        requests: all.length,
        inputTokens: all.reduce((sum, one) => sum + one.input, 0),
        listNanoUsd: all.reduce((sum, one) => sum + one.cost, 0),
        open: last.size,
      });
    }),
  );
});
