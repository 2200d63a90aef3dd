/** What tests need of the machine beside Node. A test file needs what it imports the helper of; each is made ready once per run. */
import { usedBy } from "./imports.mjs";

/** @public test/lanes.test.ts, which has no types of scripts, reads it too. */
export const needs = {
  chromium: "test/browser.ts",
  prometheus: "test/prometheus.ts",
  debootstrap: "test/release/image/image-root.ts",
  postgres: "base/sql/test/postgres-cluster.ts",
  agents: "daemon/server/test/agents/installed-agent.ts",
};

/** The names of what these test files need. */
export function needsOf(files) {
  const used = new Set(files.flatMap((file) => [...usedBy(file).files]));
  return Object.keys(needs).filter((name) => used.has(needs[name]));
}
