import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newerNode } from "../newer-node.ts";
import { ifReachable } from "../registry-package.ts";
import { toolsOfRegistry } from "../registry-tools.ts";
import { LoopbackRegistry, type PackedPackage } from "./loopback-registry.ts";
import { packLibrary, registryOfNpm } from "./pack-library.ts";

const run = promisify(execFile);
const isHere = process.platform === "linux" && process.arch === "x64";
const tools = await ifReachable(
  "the package managers",
  toolsOfRegistry("pnpm@12.18.0", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1"),
);
const node = await ifReachable("Node 24", newerNode());
const { bunOf }: { bunOf(target: string): Promise<string> } = await import(
  new URL("../../scripts/release/bun.mjs", import.meta.url).href
);
const bun = isHere ? await ifReachable("Bun", bunOf("linux-x64")) : undefined;
const isReady = isHere && tools !== undefined && node !== undefined && bun !== undefined;

/** How each adds packages, by the words of its command line. */
const managers: Record<string, (wanted: readonly string[]) => [program: string, ...args: string[]]> = {
  npm: (wanted) => ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...wanted],
  pnpm: (wanted) => [node ?? "", join(tools ?? "", "pnpm/bin/pnpm.mjs"), "add", "--ignore-scripts", ...wanted],
  bun: (wanted) => [bun ?? "", "add", "--ignore-scripts", ...wanted],
  "yarn 1": (wanted) => [
    "node",
    join(tools ?? "", "yarn/bin/yarn.js"),
    "add",
    "--ignore-scripts",
    "--ignore-engines",
    ...wanted,
  ],
  "yarn 4": (wanted) => ["node", join(tools ?? "", "@yarnpkg/cli-dist/bin/yarn.js"), "add", ...wanted],
};

/** What is asked of each package once it is installed. */
const programs: Record<string, string> = {
  "@muster/client": `import { SandboxDaemon } from "@muster/client";
import { inline } from "@muster/client/inline";
import { spawn } from "@muster/client/node";
import { SendMessage } from "@muster/client/schemas";
const daemon = await inline({ dataDirectory: "data", env: { PATH: process.env.PATH, HOME: process.cwd() } });
const said = await daemon.session({ agent: "mock" }).ask("echo hello");
await daemon.close();
console.log(said.trim(), typeof spawn, daemon instanceof SandboxDaemon, SendMessage.safeParse({ message: 1 }).success);
`,
  "@muster/codebuff-sdk": `import { CodebuffClient, loadLocalAgents } from "@muster/codebuff-sdk";
console.log(typeof CodebuffClient, typeof loadLocalAgents);
`,
  "@muster/ai-sdk": `import { muster } from "@muster/ai-sdk";
console.log(typeof muster);
`,
};
const told: Record<string, string> = {
  "@muster/client": "hello function true false\n",
  "@muster/codebuff-sdk": "function function\n",
  "@muster/ai-sdk": "function\n",
};

describe.runIf(isReady)("package managers", { timeout: 600_000 }, () => {
  let top: string;
  let registry: LoopbackRegistry;
  const packed: Record<string, PackedPackage> = {};
  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), "muster-managers-")));
    for (const room of ["daemon/client", "codebuff/sdk", "integrations/ai-sdk"]) {
      const one = await packLibrary(room, top);
      packed[one.manifest.name] = one;
    }
    registry = await LoopbackRegistry.start(Object.values(packed), await registryOfNpm());
  }, 300_000);
  afterAll(async () => {
    await registry?.close();
    await rm(top, { recursive: true, force: true, maxRetries: 5 });
  });

  const cases = Object.keys(managers).flatMap((manager) =>
    Object.keys(programs).flatMap((name) =>
      (["registry", "tarball"] as const).map((from) => ({ manager, name, from })),
    ),
  );
  it.each(cases)("$manager installs $name from a $from, and it runs", async ({ manager, name, from }) => {
    const project = await mkdtemp(join(top, "project-"));
    const home = join(project, "home");
    await mkdir(join(project, "data"), { recursive: true });
    await mkdir(home);
    await writeFile(join(project, "package.json"), '{ "type": "module", "private": true, "name": "empty" }');
    await writeFile(join(project, ".npmrc"), `registry=${registry.url}/\n`);
    await writeFile(
      join(project, ".yarnrc.yml"),
      `npmRegistryServer: "${registry.url}"\nunsafeHttpWhitelist: ["127.0.0.1"]\nnodeLinker: node-modules\nenableScripts: false\nenableTelemetry: false\nenableGlobalCache: false\nnpmMinimalAgeGate: 0\n`,
    );
    await writeFile(join(project, "main.js"), programs[name] ?? "");
    // The harness itself is asked for by whoever uses the package.
    const beside = name === "@muster/ai-sdk" ? ["@muster/client", name] : [name];
    const wanted = beside.map((one) =>
      from === "registry"
        ? one
        : `${manager === "yarn 4" ? `${one}@file:` : manager === "yarn 1" ? "file:" : ""}${packed[one]?.file}`,
    );
    const more = name === "@muster/ai-sdk" ? ["@ai-sdk/harness@1.0.122"] : [];
    const [program, ...args] = managers[manager]?.([...wanted, ...more]) ?? [""];
    const env = {
      ...process.env,
      HOME: home,
      npm_config_registry: `${registry.url}/`,
      npm_config_cache: join(top, "npm-cache"),
      // npm test hands on this repository's own strictness; the harness wants a newer Node than some of our users have.
      npm_config_engine_strict: "false",
      YARN_REGISTRY: registry.url,
      BUN_CONFIG_REGISTRY: registry.url,
      CI: "1",
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    };
    await run(program, args, { cwd: project, env }).catch(({ stdout, stderr }) => {
      throw new Error(`${stdout}\n${stderr}`);
    });
    expect(registry.missing).toEqual([]);
    const { stdout } = await run(node ?? "", ["main.js"], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(stdout).toBe(told[name]);
  });
});
