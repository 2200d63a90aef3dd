import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startScriptedLlm } from "@muster/scripted-llm";
import { describe, expect, onTestFinished, test } from "vitest";
import { AgentHome, type Turns } from "../daemon/server/test/agents/agent-home.ts";
import { everyAgent } from "../daemon/server/test/agents/every-agent.ts";
import { newerNode } from "./newer-node.ts";
import { isUnreachable } from "./registry-package.ts";

/** integrations/ai-sdk has dependencies of its own and needs a newer Node than we do: its tests run there. */
const run = promisify(execFile);
const folder = fileURLToPath(new URL("../integrations/ai-sdk", import.meta.url));

const node = await prepare().catch((error: unknown) => {
  if (!isUnreachable(error)) throw error;
  process.stderr.write(`skipped: integrations/ai-sdk needs the npm registry: ${String(error)}\n`);
  return undefined;
});

test.runIf(node)("it compiles against the published types of the harness", async () => {
  await run(process.execPath, ["../../node_modules/typescript/bin/tsc", "--noEmit", "-p", "."], { cwd: folder });
});

test.runIf(node)("HarnessAgent on sessions of the daemon, and useChat of ai 7 on POST /ui", async () => {
  await runTests(["harness", "turn-parts", "ui"]);
});

const turns: Turns = [
  {
    reasoning: "A file is wanted.",
    text: "I make it.",
    tools: [{ name: "run_command", input: { command: "touch made.txt" } }],
  },
  { text: "It is made." },
  { text: "As I said: it is made." },
  { fault: { kind: "status", status: 400, message: "that makes no sense" }, times: "always" },
];
/** Titles and the like are asked for without tools, and answered apart. */
const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };

describe.each(["claude", "codex", "opencode", "codebuff"] as const)("%s in HarnessAgent", async (agent) => {
  const { settings } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const agentTest = await home.forFile();

  agentTest("text, reasoning, an approval, a change of process, an error", async ({ skip }) => {
    if (node === undefined) skip();
    const llm = await startScriptedLlm({ script: { conversations: [asides, { turns }] } });
    onTestFinished(() => llm.close());
    const directory = await home.directory();
    const endpoint = home.daemon.api.baseUrl;
    const session = { agent, directory, baseUrl: llm.url, ...settings };
    await runTests(["real-agent"], { MUSTER_TEST_AGENT: JSON.stringify({ endpoint, session }) });
    expect(existsSync(join(directory, "made.txt"))).toBe(true);
  });
});

async function runTests(names: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const files = names.map((name) => `test/${name}.test.ts`);
  const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: "", ...env } };
  // What the tests said is the message of a failure.
  await run(node ?? "", ["--test", "--test-reporter=spec", ...files], options).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}\n${stderr}`);
  });
}

async function prepare(): Promise<string> {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules", ".muster");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    await run("npm", ["ci", "--ignore-scripts", "--engine-strict=false"], { cwd: folder });
    writeFileSync(stamp, lock);
  }
  return await newerNode();
}
