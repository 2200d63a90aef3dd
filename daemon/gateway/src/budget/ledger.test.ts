import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nothing } from "../amount.ts";
import { InputEstimates } from "../meter/input-estimates.ts";
import { noSpending } from "../meter/spending.ts";
import { admit } from "./admission.ts";
import { Budgets } from "./budgets.ts";
import { foldLedger, Ledger } from "./ledger.ts";

let folder: string;
let file: string;
const logged: string[] = [];
const log = (_: string, message: string) => void logged.push(message);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ledger-"));
  file = join(folder, "ledger.jsonl");
  logged.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

it("what was begun and settled is found again, one line after each start, for its owner only", async () => {
  const first = await Ledger.open(file, log);
  first.begin("a", "g", { nanoUsd: 5, tokens: 1 });
  first.settle("a", { nanoUsd: 7, tokens: 2 });
  first.begin("b", undefined, { nanoUsd: 100, tokens: 10 });
  first.close();
  const second = await Ledger.open(file, log);
  expect(second.before).toEqual({
    daemon: { nanoUsd: 107, tokens: 12 },
    groups: new Map([["g", { nanoUsd: 7, tokens: 2 }]]),
    openRequests: 1,
    damagedLines: 0,
  });
  second.close();
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(2);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it.each([
  ["a torn end", '{"begin":"x","nanoU'],
  ["another value", "[1]\n"],
  ["numbers that are none", '{"begin":"x","nanoUsd":"5","tokens":1}\n'],
  ["sums that are none", '{"sums":{"nanoUsd":1},"groups":{}}\n'],
])("%s is counted as damaged and changes nothing", async (_, text) => {
  const first = await Ledger.open(file, log);
  first.begin("a", "g", { nanoUsd: 5, tokens: 1 });
  first.close();
  await appendFile(file, text);
  expect(foldLedger(await readFile(file, "utf8"))).toMatchObject({
    daemon: { nanoUsd: 5, tokens: 1 },
    damagedLines: 1,
  });
});

it("a settlement whose beginning is lost is spent by the daemon", () => {
  expect(foldLedger('{"settle":"x","nanoUsd":5,"tokens":1}').daemon).toEqual({ nanoUsd: 5, tokens: 1 });
});

it("a request that cannot be written down is refused and holds nothing; a settlement is told", async () => {
  const ledger = await Ledger.open(file, log);
  ledger.close();
  ledger.close();
  const budgets = new Budgets();
  const account = { limits: { budgetUsd: 1 }, spent: noSpending };
  const asked = { sessionId: "s", account, model: "gpt-5", conversation: "c", estimatedTokens: 1_000 };
  const parts = { sessions: { stopped: () => {} }, budgets, ledger, estimates: new InputEstimates(), daemonLimits: {} };
  const prices = { own: {}, at: new Date("2026-11-18") };
  expect(admit({ ...asked, prices }, { ...parts, unpriced: "refuse" })).toEqual({
    refused: "broken",
    message: "The request was not forwarded: the ledger is closed",
  });
  expect(budgets.used("session", "s")).toEqual(nothing);
  ledger.settle("a", nothing);
  expect(logged).toEqual(["the ledger could not be written: the ledger is closed"]);
});
