import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDirectory, openOptions } from "../../test/host.ts";
import { installingHost, programOf, publish, startVendorMirror } from "../../test/vendor-mirror.ts";
import { amp } from "../amp/index.ts";
import { claude } from "../claude/index.ts";
import { codex } from "../codex/index.ts";
import { opencode } from "../opencode/index.ts";
import { opencodeRelease } from "../opencode/release.ts";
import { ensureInstalled } from "./installer.ts";

const agents = [claude, codex, opencode, amp];

describe.each(agents.map((agent) => ({ agent, id: agent.id })))(
  "$id with a major version that is not driven",
  ({ agent }) => {
    const { release } = agent;
    const newer = `${Math.max(...release.majors) + 1}.3.1`;
    const problem = {
      code: "unsupported_agent_version",
      status: 422,
      message: expect.stringContaining(`${release.name} ${newer}`),
      fields: expect.objectContaining({
        agent: release.id,
        version: newer,
        majors: release.majors,
        installs: release.tested,
      }),
    };

    it("is asked for its version when it is found on PATH, refused by name, and told as unsupported", async () => {
      const { host, path } = await hostWithOnPath(release.command, newer);
      const refused = agent.open(host, openOptions(host, { token: "sk-test-000" }));
      await expect(refused).rejects.toMatchObject({
        type: "unsupported_agent_version",
        message: expect.stringContaining(`(${path})`),
        details: { agent: release.id, version: newer, path, majors: release.majors, installs: release.tested },
      });
      const info = await agent.info(host);
      expect(info).toMatchObject({ installed: true, version: newer, path, source: "PATH", supported: false });
    });

    it("is refused before anything is asked for when it is pinned", async () => {
      const { asked, mirror } = await startVendorMirror();
      const host = installingHost({ mirror, platform: "linux-x64" }, { npm_config_registry: mirror });
      await expect(agent.install(host, { version: newer })).rejects.toMatchObject(problem);
      expect(asked).toEqual([]);
    });

    it("is refused as a file the operator named", async () => {
      const { path } = await hostWithOnPath(release.command, newer);
      const host = installingHost({ sources: { [release.id]: [{ kind: "file", path }] } });
      await expect(agent.install(host, {})).rejects.toMatchObject(problem);
      await expect(agent.open(host, openOptions(host, { token: "sk-test-000" }))).rejects.toMatchObject({
        type: "unsupported_agent_version",
      });
    });
  },
);

it("an install puts the tested version beside one on PATH that is not driven, and sessions find it", async () => {
  const { host, registry } = await hostWithRegistry({ newest: "1.18.33", onPath: "3.0.4" });
  expect(await opencode.install(host, {})).toMatchObject({ version: "1.18.33", source: "npm", tested: true });
  const found = await ensureInstalled(host, opencodeRelease, { isForSession: true });
  expect(found).toMatchObject({ version: "1.18.33", alreadyInstalled: true });
  expect((await opencode.info(host)).supported).toBe(true);
  expect(registry.asked.filter((path) => path.endsWith(".tgz"))).toHaveLength(1);
});

it("the newest of a source is not downloaded where it is not driven, and the refusal names it", async () => {
  const { host, registry } = await hostWithRegistry({ newest: "3.0.4" });
  await expect(opencode.install(host, { version: "latest" })).rejects.toMatchObject({
    code: "unsupported_agent_version",
    message:
      "OpenCode 3.0.4 is not driven here, only major versions 1 and 2. Version 1.18.33 is installed beside it by: sandbox-daemon agents install opencode",
  });
  expect(registry.asked.filter((path) => path.endsWith(".tgz"))).toEqual([]);
});

async function hostWithOnPath(command: string, version: string, host = installingHost({})) {
  const bin = await makeDirectory();
  const path = join(bin, command);
  await writeFile(path, programOf(version));
  await chmod(path, 0o755);
  return { host: { ...host, env: { ...host.env, PATH: [bin, process.env.PATH].join(delimiter) } }, path };
}

/** A registry that has one version of OpenCode; the tested one only if it is that. */
async function hostWithRegistry({ newest, onPath }: { newest: string; onPath?: string }) {
  const registry = await startVendorMirror();
  publish(registry, { name: "opencode-ai", version: newest, files: [] });
  const files = [{ name: "bin/opencode", content: programOf(newest), mode: 0o755 }];
  publish(registry, { name: "opencode-linux-x64", version: newest, files });
  const env = { npm_config_registry: registry.url };
  const host = installingHost({ mirror: "http://127.0.0.1:1", platform: "linux-x64" }, env);
  return { registry, host: onPath === undefined ? host : (await hostWithOnPath("opencode", onPath, host)).host };
}
