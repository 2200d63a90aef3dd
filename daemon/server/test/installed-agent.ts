import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { InstalledAgent } from "@muster/schema";
import { test } from "vitest";
import { DaemonHome, type DaemonProcess } from "./daemon-process.ts";

/**
 * Real agents for tests. They are installed from the npm registry through the daemon's own endpoint, once per machine:
 * into MUSTER_TEST_AGENTS_DIR, or a folder of the system's temporary one. A test that drives an agent starts its daemon
 * with `--agent-source <agent>=path:<path>`.
 */
const folder = process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents");

/** The versions our recordings were recorded with. */
export const testedVersions = { claude: "2.1.325", codex: "0.166.0", opencode: "1.18.33" } as const;

/** What comes with this repository is not installed. */
const ownPrograms = { codebuff: new URL("../../../codebuff/cli/bin/codebuff.cjs", import.meta.url) } as const;

export type TestedAgent = keyof typeof testedVersions | keyof typeof ownPrograms;

const installed = new Map<string, Promise<InstalledAgent>>();

export function installedAgent(agent: keyof typeof testedVersions): Promise<InstalledAgent> {
  const known = installed.get(agent) ?? install(agent);
  installed.set(agent, known);
  return known;
}

/** `test` for a real agent, and its program. Where it cannot be installed its tests are skipped, and why is said. */
export async function testsOf(agent: TestedAgent) {
  if (agent in ownPrograms) return { program: { path: fileURLToPath(ownPrograms[agent as "codebuff"]) }, test };
  const program = await installedAgent(agent as keyof typeof testedVersions).catch((error: unknown) => {
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
