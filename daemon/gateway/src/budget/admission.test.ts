import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nothing } from "../amount.ts";
import { InputEstimates } from "../meter/input-estimates.ts";
import { noSpending } from "../meter/spending.ts";
import { admit } from "./admission.ts";
import { Budgets } from "./budgets.ts";
import { Ledger } from "./ledger.ts";

test("a request that the ledger cannot take is refused in words and holds nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-admission-"));
  try {
    const ledger = await Ledger.open(join(folder, "spending.jsonl"), () => {});
    const budgets = new Budgets();
    const parts = {
      sessions: { stopped: () => {} },
      budgets,
      ledger,
      estimates: new InputEstimates(),
      daemonLimits: {},
      unpriced: "refuse",
    } as const;
    const asked = {
      sessionId: "s1",
      account: { limits: { budgetUsd: 1 }, spent: noSpending },
      model: "claude-sonnet-4-5",
      conversation: "s1",
      estimatedTokens: 1_000,
      prices: { own: {}, at: new Date() },
    };
    expect(admit(asked, parts)).toMatchObject({ requestId: expect.any(String) });
    const held = budgets.used("session", "s1");
    expect(held.nanoUsd).toBeGreaterThan(0);
    ledger.close();
    expect(admit(asked, parts)).toEqual({ refused: "broken", message: expect.stringContaining("not forwarded") });
    expect(budgets.used("session", "s1")).toEqual(held);
    expect(budgets.used("group", "none")).toEqual(nothing);
  } finally {
    await rm(folder, { recursive: true });
  }
});
