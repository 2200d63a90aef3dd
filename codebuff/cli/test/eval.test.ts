import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

const program = fileURLToPath(new URL("../../../testing/evals/bin/muster-eval.cjs", import.meta.url));
let world: World;
beforeAll(async () => {
  world = await openWorld({ conversations: [{ turns: [{ text: "Nobody asks." }] }] });
});
afterAll(() => world.close());

it("eval hands its words to muster-eval and ends as that does", async () => {
  const env = { MUSTER_EVAL: program };
  const listed = await world.run(["eval", "run", "--help"], { env });
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining("Let an agent work on the tasks of a suite") });
  const wrong = await world.run(["eval", "compare", "/nowhere", "/nowhere"], { env });
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("/nowhere holds no results") });
});

it("eval without muster-eval says what to install", async () => {
  const { code, err } = await world.run(["eval", "run"], { env: { MUSTER_EVAL: "/nowhere/muster-eval" } });
  expect(err).toContain("there is no /nowhere/muster-eval: install @muster/muster-eval");
  expect(code).toBe(1);
});
