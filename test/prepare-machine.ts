/** Once before the first test: makes ready what scripts/test.mjs says that the tests of this run need, and tells what it does. */
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The PostgreSQL of this run; a file that runs without `npm test` starts its own. */
    postgres: string | undefined;
    /** The programs of real agents, by name; a file that runs without `npm test` looks for its own. */
    agents: Readonly<Record<string, { path: string }>> | undefined;
  }
}

type End = () => Promise<void>;

/** Each imports its helper when it is wanted: most runs of a part want none. */
const preparations: Readonly<Record<string, (project: TestProject) => Promise<End | undefined>>> = {
  chromium: async () => {
    const { installBrowser } = await import("./browser.ts");
    const missing = installBrowser();
    if (missing !== undefined) throw new Error(missing.reason);
    return undefined;
  },
  prometheus: async () => {
    const { installPrometheus } = await import("./prometheus.ts");
    const missing = installPrometheus();
    if (missing !== undefined) throw new Error(missing.reason);
    return undefined;
  },
  debootstrap: async () => {
    const { installDebootstrap } = await import("./release/image/image-root.ts");
    const missing = installDebootstrap();
    if (missing !== undefined) throw new Error(missing.reason);
    return undefined;
  },
  postgres: async (project) => {
    const { startPostgres } = await import("../base/sql/test/postgres-cluster.ts");
    const cluster = await startPostgres();
    project.provide("postgres", cluster.url);
    return () => cluster.stop();
  },
  agents: async (project) => {
    const { installAgents } = await import("../daemon/server/test/agents/installed-agent.ts");
    project.provide("agents", await installAgents());
    return undefined;
  },
};

export default async function prepareMachine(project: TestProject): Promise<End | undefined> {
  // Lanes inherit this setup from the configuration of all; what the first gives is given to them.
  if (!project.isRootProject()) return undefined;
  const ends: End[] = [];
  for (const name of (process.env.MUSTER_TEST_NEEDS ?? "").split(",").filter(Boolean)) {
    process.stderr.write(`muster: preparing ${name}\n`);
    try {
      const end = await preparations[name]?.(project);
      if (end !== undefined) ends.push(end);
    } catch (error) {
      // Tests that need it are skipped or fail, each with its reason; the others run.
      process.stderr.write(`muster: there is no ${name} here: ${error}\n`);
    }
  }
  return async () => {
    for (const end of ends) await end();
  };
}
