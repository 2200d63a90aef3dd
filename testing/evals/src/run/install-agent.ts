import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@muster/client/node";
import type { AgentPlan } from "../agents/agent-plan.ts";

export interface InstallAgentOptions {
  readonly agent: AgentPlan["agent"];
  /** Where programs of agents are kept for all runs. */
  readonly agents: string;
  readonly daemon: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (text: string) => void;
}

/** Installs an agent once, outside of any run: runs only use it. One that is on PATH is left as it is. */
export async function installAgent({ agent, agents, daemon, env, tell }: InstallAgentOptions): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "muster-eval-install-"));
  await symlink(agents, join(data, "agents"));
  const installing = await spawn({ command: daemon, dataDirectory: data, env });
  try {
    const found = await installing.client.agents.get({ agent });
    if (found.installed) return;
    tell(`Installing ${agent} …`);
    await installing.client.agents.install({ agent });
  } finally {
    await installing.close();
    await rm(data, { recursive: true, force: true });
  }
}
