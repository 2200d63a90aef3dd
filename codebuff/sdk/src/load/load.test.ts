import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { freshFolder } from "../../test/fresh-folder.ts";
import { agentFolders } from "./agent-files.ts";
import { readGitChanges } from "./git-changes.ts";
import { knowledgePaths, readUserKnowledge } from "./knowledge.ts";
import { loadLocalAgents, loadProjectAgents } from "./load-agents.ts";
import { readMcpConfig } from "./mcp-config.ts";
import { readProjectConfig } from "./project-config.ts";
import { loadSkills } from "./skills.ts";
import { Trust, type TrustRequest } from "./trust.ts";

async function place(files: Record<string, string>) {
  const top = await freshFolder("load");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), text);
  }
  const [home, cwd] = [join(top, "home"), join(top, "work", "project")];
  await mkdir(home, { recursive: true });
  await mkdir(cwd, { recursive: true });
  return { home, cwd, top };
}

async function loadFor({
  home,
  cwd,
  decide,
}: {
  home: string;
  cwd: string;
  decide?: (request: TrustRequest) => boolean;
}) {
  const warnings: string[] = [];
  const agents = await loadProjectAgents({
    folders: agentFolders(cwd, home),
    home,
    trust: new Trust({ home, root: cwd, decide }),
    warn: (file, message) => warnings.push(`${file.split("/").at(-1)}: ${message}`),
  });
  return { agents, warnings };
}

const plain = (id: string, name: string) => `export default { id: "${id}", displayName: "${name}", model: "a/b" }`;

it("loads TypeScript, ES modules and CommonJS with their imports and closures; the project wins over parent and home", async () => {
  const { home, cwd } = await place({
    "work/project/.agents/one.ts": `
      import { name } from "./shared/name.ts";
      import type { Anything } from "./types/anything.ts";
      const counter: { n: number } = { n: 0 };
      export default { id: "one", displayName: name, model: "a/b", handleSteps: function* () { counter.n++; yield "STEP"; } };`,
    "work/project/.agents/shared/name.ts": `export const name: string = "Project";`,
    "work/project/.agents/two.cjs": `module.exports = { id: "two", displayName: "Two", model: "a/b" };`,
    "work/project/.agents/skills/x/tool.js": "throw new Error('never loaded')",
    "work/project/.agents/one.test.ts": "throw new Error('never loaded')",
    "work/.agents/one.mjs": plain("one", "Parent"),
    "work/.agents/three.mjs": plain("three", "Parent"),
    "home/.agents/three.js": plain("three", "Home"),
    "home/.agents/four.js": plain("four", "Home"),
  });
  const { agents, warnings } = await loadFor({ home, cwd, decide: () => true });
  expect(agents.map(({ id, displayName }) => `${id} ${displayName}`).sort()).toEqual([
    "four Home",
    "one Project",
    "three Parent",
    "two Two",
  ]);
  const steps = agents.find(({ id }) => id === "one")?.handleSteps;
  expect(typeof steps === "function" && steps({} as never).next().value).toBe("STEP");
  // A shared module is no agent, and that is said.
  expect(warnings).toEqual(["name.ts: its default export is not an agent definition"]);
});

it("a broken agent file is a warning with file and reason; the rest loads", async () => {
  const { home, cwd } = await place({
    "work/project/.agents/bad-syntax.ts": "export default {",
    "work/project/.agents/bad-throw.js": "throw new Error('boom')",
    "work/project/.agents/bad-shape.js": `export default { id: "Bad Id", displayName: "x", model: "a/b" }`,
    "work/project/.agents/good.js": plain("good", "Good"),
  });
  const { agents, warnings } = await loadFor({ home, cwd, decide: () => true });
  expect(agents.map(({ id }) => id)).toEqual(["good"]);
  expect(warnings.map((warning) => warning.split(":")[0]).sort()).toEqual([
    "bad-shape.js",
    "bad-syntax.ts",
    "bad-throw.js",
  ]);
  expect(warnings.join()).toContain("boom");
});

it("code of a project does not run before it was accepted; once accepted it is not asked again until it changes", async () => {
  const { home, cwd, top } = await place({
    "work/project/.agents/spy.js": `import { writeFileSync } from "node:fs"; import { word } from "./word.js"; writeFileSync(process.env.SPY_FILE, word); ${plain("spy", "Spy")}`,
    "work/project/.agents/word.js": `export const word = "ran";`,
  });
  const mark = join(top, "mark");
  process.env.SPY_FILE = mark;
  const refused = await loadFor({ home, cwd });
  expect([refused.agents, refused.warnings[0]]).toEqual([
    [],
    expect.stringContaining("spy.js: not loaded: this agent has not been accepted yet; run codebuff trust"),
  ]);
  await expect(readFile(mark)).rejects.toThrow();

  const asked: TrustRequest[] = [];
  const decide = (request: TrustRequest) => asked.push(request) > 0;
  expect((await loadFor({ home, cwd, decide })).agents).toHaveLength(1);
  expect(await readFile(mark, "utf8")).toBe("ran");
  await loadFor({ home, cwd, decide });
  const isSpy = ({ items }: TrustRequest) => items.some(({ path }) => path.endsWith("spy.js"));
  expect(asked.filter(isSpy)).toHaveLength(1);
  expect((await loadFor({ home, cwd })).agents).toHaveLength(1);
  // Also what it imports counts as its content.
  await writeFile(join(cwd, ".agents", "word.js"), `export const word = "other";`);
  expect((await loadFor({ home, cwd })).agents).toHaveLength(0);
});

it("loadLocalAgents reads one folder for a program that vouches for it", async () => {
  const { top } = await place({
    "mine/a.ts": plain("a", "A"),
    "mine/bad.ts": `export default { id: "b", model: "nonsense" }`,
  });
  const all = await loadLocalAgents({ agentsPath: join(top, "mine") });
  expect(all.a?._sourceFilePath).toBe(join(top, "mine", "a.ts"));
  const { agents, validationErrors } = await loadLocalAgents({ agentsPath: join(top, "mine"), validate: true });
  expect(Object.keys(agents)).toEqual(["a"]);
  expect(validationErrors).toMatchObject([{ agentId: "b" }]);
});

it("mcp.json: the project wins, one bad server does not hide the others, nothing starts unaccepted", async () => {
  const { home, cwd } = await place({
    "work/project/.agents/mcp.json": JSON.stringify({ mcpServers: { a: { command: "project" }, bad: { url: 3 } } }),
    "home/.agents/mcp.json": JSON.stringify({
      mcpServers: { a: { command: "home" }, b: { type: "http", url: "http://x" } },
    }),
    "work/.agents/mcp.json": "{ broken",
  });
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const accepted = await readMcpConfig({ cwd, home, trust: new Trust({ home, root: cwd, decide: () => true }), warn });
  expect(accepted.mcpServers).toEqual({ a: { command: "project" }, b: { type: "http", url: "http://x" } });
  expect(warnings).toHaveLength(2);
  const otherHome = await freshFolder("home");
  const refused = await readMcpConfig({ cwd, home: otherHome, trust: new Trust({ home: otherHome, root: cwd }), warn });
  expect(refused.mcpServers).toEqual({});
});

it("skills: front matter is checked, later folders win, a bad one is told", async () => {
  const skill = (name: string, description: string) =>
    `---\nname: ${name}\ndescription: ${description}\n---\n# How\nDo it.\n`;
  const { home, cwd } = await place({
    "home/.claude/skills/tidy/SKILL.md": skill("tidy", "from home"),
    "work/project/.agents/skills/tidy/SKILL.md": skill("tidy", "from project"),
    "work/project/.agents/skills/other/SKILL.md": skill("wrong-name", "x"),
    "work/project/.agents/skills/none/SKILL.md": "no front matter",
  });
  const warnings: string[] = [];
  const skills = await loadSkills({ cwd, home, warn: (message) => warnings.push(message) });
  expect(skills).toEqual({ tidy: { name: "tidy", description: "from project", content: "# How\nDo it." } });
  expect(warnings).toHaveLength(2);
});

it("codebuff.jsonc: comments are fine; commands wait for acceptance, the rest holds", async () => {
  const { home, cwd } = await place({
    "work/project/codebuff.jsonc": `{ // ours
      "maxAgentSteps": 7, "fileChangeHooks": [{ "name": "lint", "command": "npm run lint", "filePattern": "*.ts" }], }`,
  });
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const unaccepted = await readProjectConfig({ cwd, trust: new Trust({ home, root: cwd }), warn });
  expect([unaccepted.maxAgentSteps, unaccepted.fileChangeHooks, warnings.length]).toEqual([7, [], 1]);
  const accepted = await readProjectConfig({ cwd, trust: new Trust({ home, root: cwd, decide: () => true }), warn });
  expect(accepted.fileChangeHooks).toMatchObject([{ name: "lint", enabled: true }]);
  await writeFile(join(cwd, "codebuff.jsonc"), '{\n "maxAgentSteps": }');
  await readProjectConfig({ cwd, trust: new Trust({ home, root: cwd }), warn });
  expect(warnings.at(-1)).toContain("line 2");
});

it("knowledge: one file per directory by rank, and the person's own", async () => {
  expect(knowledgePaths(["AGENTS.md", "knowledge.md", "src/claude.md", "src/x.ts", "api.knowledge.md"])).toEqual([
    "api.knowledge.md",
    "knowledge.md",
    "src/claude.md",
  ]);
  const { home } = await place({ "home/.Agents.md": "be brief" });
  expect(await readUserKnowledge(home)).toEqual({ "~/.Agents.md": "be brief" });
});

it("tells the changes of a repository without running what its settings name", async () => {
  const { cwd, top } = await place({
    "work/project/a.txt": "one\n",
    "work/project/.gitattributes": "*.txt diff=e filter=e\n",
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
  git("init", "--quiet", "-b", "main");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
  git("config", "diff.e.textconv", `sh -c 'id > ${top}/RAN; cat "$0"'`);
  git("config", "filter.e.clean", `sh -c 'id > ${top}/RAN; cat'`);
  await writeFile(join(cwd, "a.txt"), "two\n");
  const changes = await readGitChanges(cwd);
  expect(changes).toMatchObject({ status: "## main\n M a.txt", lastCommitMessages: expect.stringMatching(/ first$/) });
  expect(changes?.diff).toContain("-one\n+two");
  await expect(readFile(join(top, "RAN"))).rejects.toThrow("ENOENT");
  git("diff");
  expect(await readFile(join(top, "RAN"), "utf8")).toContain("uid=");
});
