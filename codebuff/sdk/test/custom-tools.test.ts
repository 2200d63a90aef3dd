import { type } from "arktype";
import * as v from "valibot";
import { expect, it } from "vitest";
import { z } from "zod";
import { getCustomToolDefinition } from "../src/index.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

const seen: unknown[] = [];
const said = (value: string) => [{ type: "json" as const, value }];
const described = { description: "Orders a drink", exampleInputs: [{ drink: "tea" }] };

const tools = {
  zod: getCustomToolDefinition({
    toolName: "order_zod",
    ...described,
    inputSchema: z.object({ drink: z.string(), cups: z.number().default(1) }),
    execute: async ({ drink, cups }) => {
      seen.push({ drink, cups: cups.toFixed(0) });
      return said(`${cups} ${drink}`);
    },
  }),
  valibot: getCustomToolDefinition({
    toolName: "order_valibot",
    ...described,
    inputSchema: v.object({ drink: v.string(), cups: v.optional(v.number(), 1) }),
    execute: async ({ drink, cups }) => said(`${cups.toFixed(0)} ${drink}`),
  }),
  arktype: getCustomToolDefinition({
    toolName: "order_arktype",
    ...described,
    inputSchema: type({ drink: "string", cups: "number = 1" }),
    execute: async ({ drink, cups }) => said(`${cups.toFixed(0)} ${drink}`),
  }),
};

it.each(Object.entries(tools))("a schema of %s is offered, checked and filled in", async (vendor, tool) => {
  const name = `order_${vendor}`;
  const world = await runWorld(
    [{ tools: [call(name, { drink: "tea" }), call(name, { cups: 2 })] }, { text: "Served." }],
    {
      options: {
        customToolDefinitions: [tool],
        agentDefinitions: [{ id: "waiter", displayName: "W", model: "anthropic/claude-haiku-4.5", toolNames: [name] }],
      },
    },
  );
  await world.run({ agent: "waiter" });
  const [request] = world.llm.requests();
  const offered = (request?.body as { tools: { name: string; input_schema: object }[] } | undefined)?.tools.find(
    (one) => one.name === name,
  );
  expect(offered?.input_schema).toMatchObject({
    type: "object",
    properties: { drink: { type: "string" } },
    required: ["drink"],
  });
  expect(resultOf(world.events, name, 0)).toBe("1 tea");
  expect(resultOf(world.events, name, 1)).toMatchObject({ errorMessage: expect.stringContaining("drink") });
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "completed" });
});

it("a custom tool an agent does not name is neither offered nor run", async () => {
  seen.length = 0;
  const world = await runWorld([{ tools: [call("order_zod", { drink: "tea" })] }, { text: "ok" }], {
    options: { customToolDefinitions: [tools.zod] },
  });
  await world.run();
  expect(seen).toEqual([]);
  expect(resultOf(world.events, "order_zod")).toMatchObject({ errorMessage: expect.any(String) });
});

it("a built-in name is refused: that is what overrides are for", () => {
  const wrong = { toolName: "read_files" as never, description: "", inputSchema: z.object({}), execute: () => [] };
  expect(() => getCustomToolDefinition(wrong)).toThrow("overrideTools");
});

const bad: readonly [name: string, execute: () => never][] = [
  [
    "throws",
    () => {
      throw new Error("boom");
    },
  ],
  ["rejects", (() => Promise.reject(new Error("boom"))) as never],
  ["returns undefined", (() => undefined) as never],
  ["returns no list", (() => ({ a: 1 })) as never],
  [
    "returns a circle",
    (() => {
      const circle: unknown[] = [];
      circle.push(circle);
      return circle;
    }) as never,
  ],
];
it.each(bad)("a tool that %s is a result, and the run goes on", async (_, execute) => {
  const tool = getCustomToolDefinition({ toolName: "odd", description: "odd", inputSchema: z.object({}), execute });
  const world = await runWorld([{ tools: [call("odd", {})] }, { text: "still here" }], {
    options: {
      customToolDefinitions: [tool],
      agentDefinitions: [{ id: "tester", displayName: "T", model: "anthropic/claude-haiku-4.5", toolNames: ["odd"] }],
    },
  });
  const { output } = await world.run();
  expect(resultOf(world.events, "odd")).toMatchObject({ errorMessage: expect.any(String) });
  expect(output.type).toBe("lastMessage");
});
