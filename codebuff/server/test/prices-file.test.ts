import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { audit } from "../src/money/ledger/audit.ts";
import { frame, streamOf, usageFrame, words } from "./provider.ts";
import { startTestServer, unitsOf } from "./test-server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "codebuff-prices-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string): string {
  const path = join(folder, "prices.json");
  writeFileSync(path, content);
  return path;
}

/** A million tokens in, a tenth of them from a cache, and half a million out, without a cost of the service. */
const usage = {
  prompt_tokens: 1_000_000,
  completion_tokens: 500_000,
  prompt_tokens_details: { cached_tokens: 100_000 },
};

it("an operator's prices go before the table's, also for a model the table does not have", async () => {
  const own = { input: 1, output: 2, cachedInput: 0.1 };
  const prices = { "anthropic/claude-sonnet-4.5": own, "house/model-7": { input: 0.5, output: 0 } };
  const server = await startTestServer({
    env: { PRICES_FILE: file(JSON.stringify(prices)) },
    reply: streamOf(words("Hi"), usageFrame(usage), frame("[DONE]")),
  });
  try {
    const person = await server.person("prices@example.com", 10_000);
    const runId = await server.run(person);
    await (await server.chat(person, runId)).text();
    // 0.9 + 0.01 + 1 dollars; then half a dollar.
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 10_000_000 - 201_505, held: 0 });
    await (await server.chat(person, runId, { model: "house/model-7" })).text();
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 10_000_000 - 201_505 - 52_750, held: 0 });
    const holds = await server.database.db.selectFrom("credit_hold").select("amount").orderBy("created_at").execute();
    // Not the flat amount of a model nobody knows: its few hundred bytes as tokens.
    expect(holds[1]?.amount).toBeLessThan(100);
    expect(await audit(server.database)).toEqual([]);
  } finally {
    await server.close();
  }
});

it.each([
  ["no JSON", "{", /cannot be read/],
  ["a price that is a text", '{"a/b":{"input":"1","output":1}}', /input/],
  ["no price for the output", '{"a/b":{"input":1}}', /output/],
  ["a negative price", '{"a/b":{"input":-1,"output":1}}', /input/],
  ["a word that means nothing", '{"a/b":{"input":1,"output":1,"cached":1}}', /cached/],
  ["two prices of one model", '{"a/b":{"input":1,"output":1},"c/b":{"input":2,"output":1}}', /two prices/],
])("a file with %s is told at the start", (_, content, reason) => {
  expect(() => readConfig({ PRICES_FILE: file(content) })).toThrow(reason);
});
