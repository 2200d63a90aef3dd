import { expect, it } from "vitest";
import { runWorld } from "./run-world.ts";

/** The description of the terminal in the first request to the model. */
async function offered(options: Parameters<Awaited<ReturnType<typeof runWorld>>["run"]>[0]): Promise<string> {
  const world = await runWorld([{ text: "done" }]);
  await world.run(options);
  const body = world.llm.requests().at(-1)?.body as { tools: { name: string; description: string }[] };
  return body.tools.find(({ name }) => name === "run_terminal_command")?.description ?? "not offered";
}

it("the model is told what confines its commands in PLAN mode, and that it is the mode that does", async () => {
  expect(await offered({ mode: "PLAN" })).toMatch(
    /^Run a command .* As long as this is PLAN mode: (?:Commands run in a sandbox|Only commands known to be read-only)/,
  );
});

it("the model is told of the sandbox that a policy puts commands in", async () => {
  expect(await offered({ permissions: "sandboxed" })).toMatch(/write inside the project only|known to be read-only/);
});

it("where nothing confines commands, or the embedding program runs them, nothing is said", async () => {
  expect(await offered({})).not.toMatch(/sandbox|read-only/);
  const overrideTools = { run_terminal_command: () => [{ type: "json" as const, value: { stdout: "" } }] };
  expect(await offered({ mode: "PLAN", overrideTools })).not.toMatch(/sandbox|read-only/);
});
