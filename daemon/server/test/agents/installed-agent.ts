import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { InstalledAgent } from "@muster/schema";
import { inject, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

/**
 * Real agents for tests. They are installed from the npm registry through the daemon's own endpoint, once per machine:
 * into MUSTER_TEST_AGENTS_DIR, or a folder of the system's temporary one. A test that drives an agent starts its daemon
 * with `--agent-source <agent>=path:<path>`.
 */
const folder = process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents");

/** The versions our recordings were recorded with. */
export const testedVersions = { claude: "2.1.325", codex: "0.166.0", opencode: "1.18.33" } as const;

/**
 * The last builds of Amp whose loop runs on this machine are packages of JavaScript, which the daemon does not install:
 * those of today are programs that need Amp's service.
 */
const localAmp = { package: "@sourcegraph/amp", version: "0.0.1768018268-gcd18ba" } as const;

/** What comes with this repository is not installed. */
const ownPrograms = { codebuff: new URL("../../../../codebuff/cli/bin/codebuff.cjs", import.meta.url) } as const;

export type TestedAgent = keyof typeof testedVersions | keyof typeof ownPrograms | "amp";

const installed = new Map<string, Promise<InstalledAgent>>();

export function installedAgent(agent: keyof typeof testedVersions): Promise<InstalledAgent> {
  const known = installed.get(agent) ?? install(agent);
  installed.set(agent, known);
  return known;
}

/** Those that can be installed, by name, before the first test of a run; the tests of the others tell why they cannot. */
export async function installAgents(): Promise<Readonly<Record<string, { path: string }>>> {
  const names = Object.keys(testedVersions) as (keyof typeof testedVersions)[];
  const made = await Promise.allSettled([...names.map(install), installLocalAmp()]);
  return Object.fromEntries(
    made.flatMap((one, at) => (one.status === "fulfilled" ? [[names[at] ?? "amp", one.value]] : [])),
  );
}

/** `test` for a real agent, and its program. Where it cannot be installed its tests are skipped, and why is said. */
export async function testsOf(agent: TestedAgent) {
  if (agent in ownPrograms) return { program: { path: fileURLToPath(ownPrograms[agent as "codebuff"]) }, test };
  const known = inject("agents")?.[agent];
  if (known !== undefined) return { program: known, test };
  const finding = agent === "amp" ? installLocalAmp() : installedAgent(agent as keyof typeof testedVersions);
  const program = await finding.catch((error: unknown) => {
    process.stderr.write(`skipped: ${agent} cannot be installed here: ${String(error)}\n`);
    return undefined;
  });
  return { program, test: test.runIf(program !== undefined) };
}

async function install(agent: keyof typeof testedVersions): Promise<InstalledAgent> {
  const home = await DaemonHome.make({
    args: ["--no-token", "--agent-source", `${agent}=npm`],
    env: networkSettings(),
    dataDirectory: join(folder, agent),
  });
  try {
    const { api } = await startWhenFree(home);
    return await api.post<InstalledAgent>(`/agents/${agent}/install`, { version: testedVersions[agent] });
  } finally {
    await home.remove();
  }
}

/** Two test processes may do it at once: the first to be done is the one. */
async function installLocalAmp(): Promise<{ path: string }> {
  const place = join(folder, `amp-${localAmp.version}`);
  const path = join(place, "node_modules", ".bin", "amp");
  if (existsSync(path)) return { path };
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(`${place}-`);
  const what = `${localAmp.package}@${localAmp.version}`;
  const args = ["install", what, "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  await promisify(execFile)("npm", args, { timeout: patienceMs, cwd: draft });
  await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }));
  return { path };
}

const patienceMs = 9 * 60_000;

/** Another test process may be installing the same agent; its daemon holds the folder until it is done. */
async function startWhenFree(home: DaemonHome): Promise<DaemonProcess> {
  for (const giveUpAt = Date.now() + patienceMs; ; ) {
    try {
      return await home.start();
    } catch (error) {
      if (!/in use|is contended/.test(String(error)) || Date.now() > giveUpAt) throw error;
      await delay(500);
    }
  }
}

/** How this machine reaches the registry; the daemons of tests see nothing else of our environment. */
function networkSettings(): Record<string, string> {
  const wanted = /^(npm_config_.*|https?_proxy|all_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value && wanted.test(name) ? [[name, value]] : [])),
  );
}
