import { afterAll, beforeAll, expect, it } from "vitest";
import { audit } from "../src/money/ledger/audit.ts";
import { frame, streamOf, usageFrame, words } from "./provider.ts";
import { startTestServer, type TestServer, unitsOf } from "./test-server.ts";

const small = "anthropic/claude-haiku-4.5";
let dollars = 0;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    reply: (request, response) => {
      const usage = { prompt_tokens: 100, completion_tokens: 20, cost: dollars };
      return streamOf(words("Found"), usageFrame(usage), frame("[DONE]"))(request, response);
    },
  });
});
afterAll(() => server.close());

// 4.999 credits and 5 of them: dollars × 105,500 units.
it.each([
  ["a support agent under five credits", "file-picker", small, 0.04738, { units: 0, free: 1 }],
  ["also of the store's own name", "codebuff/file-picker@1.0.0", small, 0.04738, { units: 0, free: 1 }],
  ["a support agent at five credits", "file-picker", small, 0.0473935, { units: 5000, free: 0 }],
  [
    "a support agent with a model that is not its own",
    "file-picker",
    "anthropic/claude-opus-4.6",
    0.04,
    { units: 4220, free: 0 },
  ],
  ["any other agent", "base2", small, 0.04, { units: 4220, free: 0 }],
])("%s: what it costs", async (title, agent, model, cost, expected) => {
  dollars = cost;
  const person = await server.person(`${title.replaceAll(" ", "-")}@example.com`, 1000);
  const response = await server.chat(person, await server.run(person, agent), { model });
  const shown = Math.round(expected.units / 1000) / 105.5;
  expect(await response.text()).toContain(`"cost":${shown},`);
  const { db } = server.database;
  const message = db.selectFrom("message").select(["units", "free"]).where("user_id", "=", person.id);
  expect(await message.executeTakeFirstOrThrow()).toEqual(expected);
  expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - expected.units, held: 0 });
  expect(await audit(server.database)).toEqual([]);
});

it("needs credits like any other call, and the limit is a setting", async () => {
  dollars = 0.01;
  const poor = await server.person("nothing-left@example.com", 0);
  const refused = await server.chat(poor, await server.run(poor, "file-picker"), { model: small });
  expect(refused.status).toBe(402);
  const strict = await startTestServer({
    env: { SUPPORT_AGENT_FREE_BELOW: "0" },
    reply: streamOf(usageFrame({ prompt_tokens: 1, cost: 0.01 }), frame("[DONE]")),
  });
  try {
    const person = await strict.person("pays@example.com", 10);
    await (await strict.chat(person, await strict.run(person, "file-picker"), { model: small })).text();
    expect(await unitsOf(strict.database, person.id)).toEqual({ balance: 10_000 - 1055, held: 0 });
  } finally {
    await strict.close();
  }
});
