import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { InstalledAgent } from "@muster/schema";
import { expect, it } from "vitest";
import { etag, startFileServer } from "../../test/file-server.ts";
import { makeDirectory, openOptions } from "../../test/host.ts";
import { installingHost, programOf, publish } from "../../test/vendor-mirror.ts";
import type { InstallProgress } from "../adapter.ts";
import type { AgentHost } from "../host.ts";
import { opencodeCredentials } from "../opencode/credentials.ts";
import { opencode } from "../opencode/index.ts";
import { opencodeRelease } from "../opencode/release.ts";
import { defineAgent } from "./define-agent.ts";
import { programVersion } from "./installed/program-version.ts";
import { ensureInstalled } from "./installer.ts";

const name = "opencode-linux-x64";
const npmOnly = { platform: "linux-x64", sources: { opencode: [{ kind: "npm" }] } } as const;
const agent = defineAgent({ release: opencodeRelease, credentials: opencodeCredentials });

/** A registry with these versions of OpenCode; `padding` makes the download longer. */
async function registryWith(versions: readonly string[], padding = "") {
  const registry = await startFileServer();
  for (const version of versions) {
    publish(registry, { name: "opencode-ai", version, files: [] });
    publish(registry, {
      name,
      version,
      files: [{ name: "bin/opencode", content: programOf(version) + padding, mode: 0o755 }],
    });
  }
  const tarballs = () => registry.asked.filter((path) => path.endsWith(".tgz"));
  return { ...registry, tarballs, host: installingHost(npmOnly, { npm_config_registry: registry.url }) };
}

it("ten installs at once download once, and all see the progress", async () => {
  const { host, tarballs } = await registryWith(["1.0.0"]);
  const stages = new Map<number, string[]>();
  const install = (n: number) =>
    ensureInstalled(host, opencodeRelease, {}, ({ stage }: InstallProgress) =>
      stages.set(n, [...(stages.get(n) ?? []), stage]),
    );
  const all = await Promise.all(Array.from({ length: 10 }, (_, n) => install(n)));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(tarballs()).toHaveLength(1);
  for (let n = 0; n < 10; n++) {
    expect([...new Set(stages.get(n))]).toEqual(["resolving", "downloading", "verifying", "extracting", "done"]);
  }
});

it("a flipped byte in the tarball is refused, and the old version stays", async () => {
  const { host, files } = await registryWith(["1.0.0", "1.2.0"]);
  const old = await ensureInstalled(host, opencodeRelease, { version: "1.0.0" });
  for (const version of ["1.0.0", "1.2.0"]) {
    const path = `/${name}/-/${version}.tgz`;
    const tarball = Buffer.from(files.get(path) as Buffer);
    tarball[tarball.length >> 1] = (tarball[tarball.length >> 1] ?? 0) ^ 1;
    files.set(path, tarball);
    const refused = await ensureInstalled(host, opencodeRelease, { version, reinstall: true }).catch((error) => error);
    expect(refused.toProblem()).toMatchObject({
      status: 424,
      agent: "opencode",
      version,
      sources: [
        { source: "npm", cause: expect.stringContaining("the download is not what npm's dist.integrity says") },
      ],
    });
  }
  expect(await ensureInstalled(host, opencodeRelease)).toEqual({ ...old, alreadyInstalled: true });
  expect(await readdir(join(host.dataDirectory, "agents", "opencode", "1.2.0"))).toEqual([]);
});

it("versions lie side by side: a pin finds its own, no pin the newest, `latest` looks for more", async () => {
  const registry = await registryWith(["1.9.0", "1.10.0"]);
  const { host, tarballs } = registry;
  const pinned = await ensureInstalled(host, opencodeRelease, { version: "v1.9.0" });
  const newest = await ensureInstalled(host, opencodeRelease, { version: "latest" });
  expect([pinned.version, newest.version]).toEqual(["1.9.0", "1.10.0"]);
  expect(await ensureInstalled(host, opencodeRelease, { version: "1.9.0" })).toEqual({
    ...pinned,
    alreadyInstalled: true,
  });
  expect(await ensureInstalled(host, opencodeRelease)).toEqual({ ...newest, alreadyInstalled: true });
  expect(await ensureInstalled(host, opencodeRelease, { version: "latest" })).toMatchObject({ alreadyInstalled: true });
  expect(tarballs()).toHaveLength(2);
  expect(await agent.info(host)).toMatchObject({
    installed: true,
    version: "1.10.0",
    path: newest.path,
    source: "npm",
  });
});

it("an installed program that was changed is not used but installed again", async () => {
  const { host, tarballs } = await registryWith(["1.0.0"]);
  const { path } = await ensureInstalled(host, opencodeRelease);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("1.0.0", "6.6.6"));
  const again = await ensureInstalled(host, opencodeRelease);
  expect(again).toMatchObject({ version: "1.0.0", alreadyInstalled: false });
  expect(await readFile(again.path, "utf8")).toBe(text);
  expect(tarballs()).toHaveLength(2);
});

it("a program that does not run is not installed", async () => {
  const registry = await registryWith([]);
  const host = installingHost(npmOnly, { npm_config_registry: registry.url });
  publish(registry, {
    name,
    version: "1.0.0",
    files: [{ name: "bin/opencode", content: "#!/bin/sh\nexit 7\n", mode: 0o755 }],
  });
  await expect(ensureInstalled(host, opencodeRelease, { version: "1.0.0" })).rejects.toThrow("--version failed");
  expect(await agent.info(host)).toMatchObject({ installed: false });
});

it("what an earlier process began is gone on with, and thrown away when it was of another file", async () => {
  const registry = await registryWith(["1.0.0", "1.2.0"]);
  const { host } = registry;
  const ranges: (string | undefined)[] = [];
  registry.server.on("request", ({ url = "", headers }) => void (url.endsWith(".tgz") && ranges.push(headers.range)));
  for (const [version, isRight] of [
    ["1.0.0", true],
    ["1.2.0", false],
  ] as const) {
    const path = `/${name}/-/${version}.tgz`;
    const url = registry.url + path;
    const half = Buffer.from(registry.files.get(path) as Buffer).subarray(0, 100);
    if (!isRight) half.fill("x");
    const place = join(host.dataDirectory, "agents", "opencode", "downloads");
    const partial = join(place, `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.partial`);
    await mkdir(place, { recursive: true });
    await writeFile(partial, half);
    await writeFile(`${partial}.json`, JSON.stringify({ url, validator: etag }));
    expect(await ensureInstalled(host, opencodeRelease, { version })).toMatchObject({
      version,
      alreadyInstalled: false,
    });
  }
  expect(ranges).toEqual(["bytes=100-", "bytes=100-", undefined]);
});

it("offline: every source is named with its cause, and nothing is left", async () => {
  const nowhere = "http://127.0.0.1:1";
  const host = installingHost({ mirror: nowhere, platform: "linux-x64" }, { npm_config_registry: nowhere });
  const failure = await ensureInstalled(host, opencodeRelease, { version: "1.2.3" }).catch((error) => error);
  expect(failure.toProblem()).toMatchObject({
    status: 424,
    code: "install_failed",
    agent: "opencode",
    version: "1.2.3",
    sources: [
      { source: "vendor", cause: expect.stringContaining("ECONNREFUSED") },
      { source: "npm", cause: expect.stringContaining("ECONNREFUSED") },
    ],
  });
  expect(await agent.info(host)).toMatchObject({ installed: false });
});

it("a version that is a path is refused before anything happens", async () => {
  const { host, asked } = await registryWith(["1.0.0"]);
  for (const version of ["../../etc", "1/../../x", "", "a b"]) {
    await expect(ensureInstalled(host, opencodeRelease, { version })).rejects.toMatchObject({
      code: "invalid_request",
    });
  }
  expect(asked).toEqual([]);
});

it("a program on PATH is found with its version, and a pin it does not match is installed", async () => {
  const registry = await registryWith(["1.2.0"]);
  const folder = makeDirectory();
  const path = join(folder, "opencode");
  await writeFile(path, programOf("1.5.0"));
  await chmod(path, 0o755);
  const env = {
    PATH: ["relative", "/nonexistent", folder, "/usr/bin", "/bin"].join(delimiter),
    npm_config_registry: registry.url,
  };
  const host: AgentHost = { ...installingHost({ platform: "linux-x64", mirror: "http://127.0.0.1:1" }), env };
  const found = { version: "1.5.0", path, source: "PATH" };
  expect(await agent.info(host)).toMatchObject({ installed: true, ...found });
  const verifiedBy = "not checked: found on PATH";
  const used: InstalledAgent = { ...found, verifiedBy, alreadyInstalled: true, tested: false };
  expect(await ensureInstalled(host, opencodeRelease)).toEqual(used);
  expect(await ensureInstalled(host, opencodeRelease, { version: "1.5.0" })).toEqual(used);
  expect(registry.asked).toEqual([]);
  expect(await ensureInstalled(host, opencodeRelease, { version: "1.2.0" })).toMatchObject({
    version: "1.2.0",
    source: "npm",
  });
});

it("a file the operator names is used, and no other version", async () => {
  const path = join(makeDirectory(), "my-opencode");
  await writeFile(path, programOf("1.5.0"));
  await chmod(path, 0o755);
  const host = installingHost({ sources: { opencode: [{ kind: "file", path }] } });
  expect(await ensureInstalled(host, opencodeRelease)).toMatchObject({ version: "1.5.0", path, source: "file" });
  await expect(ensureInstalled(host, opencodeRelease, { version: "1.2.0" })).rejects.toThrow("says 1.5.0, not 1.2.0");
});

it("a daemon that stops ends its downloads", async () => {
  const registry = await registryWith(["1.0.0"]);
  const stopping = new AbortController();
  registry.files.set(`/${name}/-/1.0.0.tgz`, (_, response) => {
    response.writeHead(200, { "content-length": 1000 }).write("x");
    stopping.abort();
  });
  const host = installingHost({ ...npmOnly, signal: stopping.signal }, { npm_config_registry: registry.url });
  await expect(ensureInstalled(host, opencodeRelease)).rejects.toMatchObject({ code: "shutting_down" });
});

it("a session that is called off does not wait for its program, and the install goes on", async () => {
  const { host, files, tarballs } = await registryWith(["1.0.0"]);
  const path = `/${name}/-/1.0.0.tgz`;
  const tarball = files.get(path);
  const calledOff = new AbortController();
  const held: ServerResponse[] = [];
  files.set(path, (_, response) => {
    held.push(response);
    calledOff.abort(new Error("called off"));
  });
  const opening = opencode.open(host, openOptions(host, { signal: calledOff.signal }));
  await expect(opening).rejects.toThrow("called off");
  held[0]?.end(tarball);
  expect(await ensureInstalled(host, opencodeRelease)).toMatchObject({ version: "1.0.0", source: "npm" });
  expect(tarballs()).toHaveLength(1);
});

const installing = fileURLToPath(new URL("../../test/installing-process.mjs", import.meta.url));

it("a disk that is full in the middle is told, and the old version stays", async () => {
  const { host, url } = await registryWith(["1.0.0", "1.2.0"], "#".repeat(1_000_000));
  const old = await ensureInstalled(host, opencodeRelease, { version: "1.0.0" });
  // No file of that process may grow beyond 256 KiB.
  const script = `ulimit -f 512; exec "$@"`;
  const args = [installing, host.dataDirectory, url, "1.2.0", "once"];
  const child = spawn("sh", ["-c", script, "sh", process.execPath, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [, result = ""] = (await text(child.stdout)).split("\n");
  expect(JSON.parse(result)).toMatchObject({
    code: "install_failed",
    sources: [{ cause: expect.stringContaining("EFBIG") }],
  });
  expect(await ensureInstalled(host, opencodeRelease)).toEqual({ ...old, alreadyInstalled: true });
  await expect(readdir(join(host.dataDirectory, "agents", "opencode", "1.2.0"))).resolves.toEqual([]);
});

it("50 kills at random moments leave the old or the new version, whole", { timeout: 240_000 }, async () => {
  // Large enough that downloading, verifying and extracting all take their share of the time.
  const padding = Array.from({ length: 40_000 }, (_, n) => `# ${Math.sin(n)}\n`).join("");
  const { host, url } = await registryWith(["1.0.0", "1.2.0"], padding);
  await ensureInstalled(host, opencodeRelease, { version: "1.0.0" });
  const startInstalling = async (version: string) => {
    const args = [installing, host.dataDirectory, url, version, "forever"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return child;
  };
  const kill = async (child: ChildProcess) => {
    child.kill("SIGKILL");
    await once(child, "close");
  };
  const undisturbed = await startInstalling("1.0.0");
  const startedAt = Date.now();
  await once(undisturbed.stdout, "data");
  const durationMs = Date.now() - startedAt;
  await kill(undisturbed);

  const seen = new Set<string>();
  for (let n = 0; n < 50; n++) {
    // Even rounds bring a new version, odd ones replace a version that is there.
    const child = await startInstalling(n % 2 === 0 ? "1.2.0" : "1.0.0");
    // On a machine that has become busier no delay is long enough for a whole install: some rounds wait for one.
    if (n % 10 === 8) await once(child.stdout, "data");
    else await delay(Math.random() * durationMs * 1.5);
    await kill(child);
    const info = await agent.info(host);
    expect(info).toMatchObject({ installed: true, source: "npm" });
    expect(await readFile(info.path ?? "", "utf8")).toBe(programOf(info.version ?? "") + padding);
    expect(await programVersion(host, info.path ?? "")).toBe(info.version);
    seen.add(info.version ?? "");
  }
  expect(seen).toContain("1.2.0");
  await ensureInstalled(host, opencodeRelease, { version: "1.0.0", reinstall: true });
  const left = await readdir(join(host.dataDirectory, "agents", "opencode"), { recursive: true });
  // One replaced folder may wait for the next install, since an agent may still run from it.
  expect(left.filter((path) => path.endsWith("bin/opencode")).length).toBeLessThanOrEqual(3);
  expect(left.filter((path) => /partial|tmp/.test(path))).toEqual([]);
});
