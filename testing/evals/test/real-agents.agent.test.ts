import { describe, expect } from "vitest";
import { testsOf } from "../../../daemon/server/test/agents/installed-agent.ts";
import { readSuite } from "../src/task/read-suite.ts";
import { runOnce, suite } from "./eval-world.ts";

const tasks = await readSuite(suite, ["search-old-key", "py-overlaps", "git-restore"]);

describe.each(["claude", "codex", "opencode", "codebuff"] as const)("%s on a scripted model", async (agent) => {
  const { program, test } = await testsOf(agent);
  const sources = program === undefined ? [] : [`${agent}=path:${program.path}`];

  test.each(tasks.map((task) => [task.id, task] as const))(
    "passes %s with the solution, and fails it with the careless one",
    async (_, task) => {
      const good = await runOnce(task, { plan: { agent }, sources });
      expect(good, good.reason).toMatchObject({ outcome: "passed", score: 1 });
      expect(good.steps).toBeGreaterThanOrEqual(1);
      // The gateway's count: every one of these agents asks its model at least twice.
      expect(good.requests).toBeGreaterThanOrEqual(2);
      const bad = await runOnce(task, { plan: { agent, scripted: "bad" }, sources });
      expect(bad, bad.reason).toMatchObject({ outcome: "failed", passed: false });
    },
  );
});
