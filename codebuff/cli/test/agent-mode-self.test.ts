import { existsSync } from "node:fs";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { done, openAgentWorld, resultsOf, stillRunning, xmlCall } from "./agent-world.ts";

const source = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
/** What the loop of agent mode and its tests need of the repository. */
const parts = ["package.json", "tsconfig.base.json", "vitest.config.ts", "docs/house.md"];
const rooms = ["codebuff/protocol", "codebuff/runtime", "codebuff/workspace/src/terminal", "codebuff/cli/src"];

it("T-7: the agent finds its own source by its prompt, changes it and runs a test there", async () => {
  const tested = "codebuff/runtime/src/agent-mode/self-change.test.ts";
  const text = [
    'import { expect, test } from "vitest";',
    'import { closingTag } from "../xml/call-reader.ts";',
    'test("the agent\'s own change", () => expect(closingTag("changed")).toBe("&lt;/changed&gt;"));',
  ].join("\n");
  let root = "";
  const world = await openAgentWorld([
    (request) => {
      root = /It lies in (\S+?)\. Key files/.exec(JSON.stringify(request.body))?.[1] ?? "";
      const content = `${text}\n`;
      return { text: `I change myself.\n${xmlCall("write_file", { path: tested, instructions: "test", content })}` };
    },
    () => {
      const command = `cd ${root} && node node_modules/vitest/vitest.mjs run ${tested}`;
      return { text: `I test it.\n${xmlCall("run_terminal_command", { command, yield_seconds: "30" })}` };
    },
    stillRunning("exit code: 0"),
    { text: done("I have changed myself.") },
  ]);
  await copySource(world.project);
  const command = await world.run(["--stream-json", "/agent change yourself"], {
    env: { CODEBUFF_SELF_ROOT: world.project },
  });
  expect(command.code, command.out + command.err).toBe(0);
  expect(root).toBe(world.project);
  const results = resultsOf(command.lines, "run_terminal_command");
  expect(results.at(-1)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/1 passed/) });
  expect(await readFile(join(world.project, tested), "utf8")).toContain('toBe("</changed>")');
  expect(existsSync(join(source, tested)), "the copy was changed, not the original").toBe(false);
  const prompt = JSON.stringify(world.llm.requests()[0]?.body);
  const keyFiles = [...prompt.matchAll(/- (codebuff\/\S+?|docs\/\S+?): /g)].map(([, path = ""]) => path);
  expect(keyFiles.length).toBeGreaterThanOrEqual(5);
  expect(keyFiles.filter((path) => !existsSync(join(world.project, path)))).toEqual([]);
  expect(prompt).toContain("npm run build && npm run test");
});

async function copySource(target: string): Promise<void> {
  await mkdir(join(target, "docs"));
  for (const path of [...parts, ...rooms]) {
    const filter = (from: string) => !/\/(dist|node_modules)(\/|$)/.test(from.slice(source.length));
    await cp(join(source, path), join(target, path), { recursive: true, filter });
  }
  await symlink(join(source, "node_modules"), join(target, "node_modules"));
}
