import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { parts } from "../daemon/server/test/agents/agent-home.ts";
import { bash, ClaudeHome } from "../daemon/server/test/agents/claude/claude-home.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const skill = join(root, "skills/muster");
const { claude, test } = await ClaudeHome.forFile();

/** What each block of commands must show, in the order of the file. */
const shown = [
  /the task is done/,
  /^/,
  /"sessionId":"s1"[\s\S]*first turn[\s\S]*second turn/,
  /"status":"completed"[\s\S]*"role":"assistant"/,
  /permission_1/,
  /^/,
  /That is the whole demo/,
];

test("a real agent reads the skill and does every command in it", async () => {
  const text = await readFile(join(skill, "SKILL.md"), "utf8");
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(shown.length);
  const directory = await claude.directory();
  await mkdir(join(directory, ".claude/skills"), { recursive: true });
  await cp(skill, join(directory, ".claude/skills/muster"), { recursive: true });
  const turns = [
    { tools: [{ name: "Skill", native: true, input: { skill: "muster" } }] },
    ...blocks.map((block) => ({ tools: [bash(block)] })),
    { text: "Done." },
  ];
  const session = await claude.begin(turns, {
    directory,
    permissionMode: "bypass",
    env: { PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
  });
  const turn = await session.talk.say("Use the skill muster");
  expect(turn.text).toContain("Done.");
  const [first, second] = session.llm.requests().map(({ body }) => JSON.stringify(body));
  expect(first).toContain("Give coding tasks to other agents");
  expect(second).toContain("Working with sandbox-daemon and codebuff");
  const results = parts(turn.of("item.completed"), "tool_result").slice(1);
  expect(results).toHaveLength(shown.length);
  for (const [index, pattern] of shown.entries())
    expect(results[index]).toMatchObject({ isError: false, output: expect.stringMatching(pattern) });
  await claude.finish(session);
});
