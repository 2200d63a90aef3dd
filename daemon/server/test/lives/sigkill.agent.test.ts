import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isDue, isLong, random, seed } from "@muster/chaos";
import { startScriptedLlm } from "@muster/scripted-llm";
import { describe, expect } from "vitest";
import { ampService } from "../agents/amp/amp-home.ts";
import { type TestedAgent, testsOf } from "../agents/installed-agent.ts";
import { DaemonHome } from "../daemon-process.ts";
import { storm } from "./kill-storm.ts";

/** Each takes minutes: `npm test` has one kill of each kind in the tests of their lives. */
const kills = 50;
const settings: Record<TestedAgent, Record<string, unknown>> = {
  claude: { token: "sk-ant-test-000" },
  codex: { model: "gpt-5.5", token: "sk-codex-test-4711" },
  opencode: { model: "scripted/m1", token: "sk-fake-0123456789abcdef" },
  codebuff: { token: "sk-ant-test-000" },
  amp: { token: "sgamp_user_test_000" },
};

for (const agent of Object.keys(settings) as TestedAgent[]) {
  const { program, test } = isLong ? await testsOf(agent) : { program: undefined, test: undefined };
  describe.runIf(test !== undefined)(`the real ${agent}`, () => {
    test?.("survives SIGKILLs of its daemon, itself and its readers", { timeout: 1_800_000 }, async (context) => {
      const row = { fault: `SIGKILL, ${agent}`, part: 1 };
      if (!isDue(row.fault, row.part)) return context.skip("held before, or the time is over");
      const pace = { chars: 20, delayMs: 10 };
      const turns = [{ text: "word ".repeat(40), pace, times: "always" as const }];
      const { routes, conversations } = ampService;
      const llm = await startScriptedLlm({ script: { routes, conversations: [...conversations, { turns }] } });
      const home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `${agent}=path:${program?.path}`] });
      try {
        const directory = join(home.path, "work");
        await mkdir(directory);
        const body = { agent, directory, baseUrl: llm.url, ...settings[agent] };
        await storm({
          home,
          sessions: ["real"],
          kills,
          row,
          random: random(seed),
          roundMs: 4_000,
          create: (api) => api.post("/sessions/real", body).then(() => {}),
          renew: (api) => api.ask("PATCH", "/sessions/real", { token: settings[agent].token }),
          message: (messageId) => `please do <${messageId}>`,
          async last(api, world) {
            // What an agent has in its memory twice, it was given twice.
            const twice = [...world.acknowledged.keys()].filter((messageId) =>
              llm.requests().some(({ body: asked }) => JSON.stringify(asked).split(`<${messageId}>`).length > 2),
            );
            expect(twice).toEqual([]);
            await api.ask("DELETE", "/sessions/real");
            await expect.poll(() => home.agents(), { timeout: 30_000 }).toEqual([]);
          },
        });
      } finally {
        await home.remove();
        await llm.close();
      }
    });
  });
}
