import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { AgentInfo, InstalledAgent } from "@muster/schema";
import { expect, it } from "vitest";
import { installedAgent, testedVersions } from "../agents/installed-agent.ts";
import { DaemonHome } from "../daemon-process.ts";

const run = promisify(execFile);
const agents = Object.entries(testedVersions) as [keyof typeof testedVersions, string][];

it.each(agents)("%s comes from the npm registry, verified, and answers --version with %s", async (agent, version) => {
  const installed = await installedAgent(agent);
  const verifiedBy = expect.stringContaining("npm's dist.integrity (sha512)");
  expect(installed).toMatchObject({ version, source: "npm", verifiedBy });
  expect((await run(installed.path, ["--version"])).stdout).toContain(version);
});

it("codex finds its helper programs where its package has them", async () => {
  const { path } = await installedAgent("codex");
  const package_ = dirname(dirname(path));
  await access(join(package_, "codex-path", "rg"));
  await access(join(package_, "codex-resources", "bwrap"));
  await access(join(package_, "bin", "codex-code-mode-host"));
});

it("a program the operator names is listed and used where it lies", async () => {
  const { path } = await installedAgent("opencode");
  const home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `opencode=path:${path}`] });
  try {
    const { api } = await home.start();
    const found = { version: testedVersions.opencode, path, source: "file" };
    expect(await api.get<AgentInfo>("/agents/opencode")).toMatchObject({ installed: true, ...found });
    const installed = await api.post<InstalledAgent>("/agents/opencode/install");
    expect(installed).toEqual({
      ...found,
      verifiedBy: "not checked: a file the operator named",
      alreadyInstalled: true,
      tested: true,
    });
  } finally {
    await home.remove();
  }
});
