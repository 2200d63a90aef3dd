import { expect, it } from "vitest";
import type { Ask } from "../../src/index.ts";
import { call, resultOf, runWorld } from "../run-world.ts";

/** What a person is asked about these commands, one after the other, under the policy that asks most. */
async function asked(command: string): Promise<{ reason: unknown; keys: string[]; result: unknown }> {
  const asks: Ask[] = [];
  const turns = [{ tools: [call("run_terminal_command", { command })] }, { text: "Done." }];
  const world = await runWorld(turns, {
    options: {
      permissions: "default",
      ask: async (ask) => {
        asks.push(ask);
        return { decision: "deny" };
      },
    },
  });
  await world.run();
  const { reason, parts = [] } = (asks[0]?.permission ?? {}) as { reason?: string; parts?: { key: string }[] };
  return { reason, keys: parts.map(({ key }) => key), result: resultOf(world.events, "run_terminal_command") };
}

it.each([
  `node -e "console.log(require('./')('2 weeks'))"`,
  `python3 -c "print('rm is a word, and so is curl')"`,
  `awk 'BEGIN { print "outside" }'`,
])("a text in the program of %s is no command of the shell", async (command) => {
  const { reason, keys } = await asked(command);
  expect(reason).toBe("not known to be read-only");
  expect(keys).toHaveLength(1);
  expect(keys[0]).toMatch(/^(?:node|python3|awk)\b/);
});
