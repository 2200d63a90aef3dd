import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { Container, type ContainerOptions } from "./container.ts";
import { buildImage, type Image, installDebootstrap } from "./image-root.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (name: string) => readFileSync(join(root, "deploy", name), "utf8");

const isHere = process.platform === "linux" && process.arch === "x64" && process.getuid?.() === 0;
const missing = isHere ? installDebootstrap() : { reason: "an image is entered only by root, on Linux" };
if (missing !== undefined) process.stderr.write(`skipped: ${missing.reason}\n`);

const ready = /listens on http/;
const agent = 1000;

describe.runIf(missing === undefined)("the images, built and run without an engine", { timeout: 600_000 }, () => {
  let top: string;
  let release: string;
  let slim: Image;
  let container: Container | undefined;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "muster-image-"));
    release = join(top, "release");
    await execute(process.execPath, [join(root, "scripts/release.mjs"), "--out", release, "--skip", "python"], {
      cwd: top,
    });
    slim = await buildImage(join(root, "deploy/Dockerfile"), release, top);
  }, 900_000);
  afterEach(async () => {
    await container?.remove();
    container = undefined;
  });
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  const start = async (image: Image, options: ContainerOptions) => {
    container = await Container.start(image, options, ready);
    return container;
  };
  let folders = 0;
  /** As Docker and Kubernetes make one: empty, and root's. */
  const rootFolder = async () => {
    const folder = join(top, `volume-${folders++}`);
    await mkdir(folder, { mode: 0o755 });
    return folder;
  };
  const volumes = async () => ({
    "/data": await rootFolder(),
    "/work": await rootFolder(),
    "/home/agent": await rootFolder(),
  });
  const token = { SANDBOX_DAEMON_TOKEN: "a-token-for-the-image" };
  const health = (one: Container, image: Image) => one.run(image.config.healthcheck);

  it("the slim one has what its steps say: programs, the user, the folders", async () => {
    const one = await start(slim, { mounts: await volumes(), env: token });
    for (const program of ["git", "rg", "curl", "tini", "codebuff", "sandbox-daemon"]) {
      expect(await one.run([program, "--version"]), program).toMatchObject({ code: 0 });
    }
    expect((await one.run(["id", "agent"])).said).toMatch(/^uid=1000\(agent\) gid=1000\(agent\)/);
    expect((await one.run(["cat", "/proc/1/comm"])).said).toBe("tini\n");
    await one.run(["sandbox-daemon", "sessions", "create", "left", "mock"]);
    await one.run(["sandbox-daemon", "sessions", "stream-message", "left", "orphan"]);
    await one.run(["sandbox-daemon", "sessions", "terminate", "left"]);
    expect((await one.run(["sh", "-c", "grep -l '^State:.Z' /proc/[0-9]*/status"])).said).toBe("");
    expect(slim.config).toMatchObject({ volumes: ["/data", "/work", "/home/agent"], ports: [2468], workdir: "/work" });
  });

  it("the health check is well when the daemon answers, and not when it is gone", async () => {
    const one = await start(slim, { mounts: await volumes(), env: token });
    expect(await health(one, slim)).toMatchObject({ code: 0 });
    await one.remove();
    const without = await start(slim, {
      mounts: await volumes(),
      entrypoint: ["sh", "-c", "echo listens on http; exec sleep 60"],
    });
    expect((await health(without, slim)).code).not.toBe(0);
  });

  it("folders that were made for it are the agents' to write, and the token is not theirs to read", async () => {
    const mounts = await volumes();
    const one = await start(slim, { mounts, env: {} });
    const told = await one.run(["sandbox-daemon", "run", "mock", "env USER"]);
    expect(told).toMatchObject({ code: 0, said: expect.stringContaining("agent") });
    for (const place of ["/work/file", "/home/agent/file", "/tmp/file"]) {
      expect(await one.run(["touch", place], { uid: agent }), place).toMatchObject({ code: 0 });
    }
    expect((await one.run(["cat", "/data/token"], { uid: agent })).code).not.toBe(0);
    expect((await one.run(["ls", "/data"], { uid: agent })).code).not.toBe(0);
    expect((await one.run(["touch", "/data/file"], { uid: agent })).code).not.toBe(0);
    expect(statSync(join(mounts["/work"], "file")).uid).toBe(agent);
  });

  it("a folder of somebody's own stays theirs", async () => {
    const mounts = await volumes();
    await chown(mounts["/work"], 4321, 4321);
    await start(slim, { mounts, env: token });
    expect(statSync(mounts["/work"]).uid).toBe(4321);
  });

  it("as Compose starts it, with a root that cannot be written, a turn runs, and a second container goes on with it", async () => {
    const service = parse(read("docker-compose.yml")).services["sandbox-daemon"];
    expect(service.read_only).toBe(true);
    const places: string[] = service.volumes.map((one: string) => one.split(":")[1]);
    expect(places.sort()).toEqual([...slim.config.volumes].sort());
    const mounts = await volumes();
    const memory = service.tmpfs.map((one: string) => one.split(":")[0]);
    const options = { mounts, memory, isReadOnly: true, env: token };
    const first = await start(slim, options);
    expect((await first.run(["touch", "/usr/file"])).code).not.toBe(0);
    expect(await health(first, slim)).toMatchObject({ code: 0 });
    await first.run(["sandbox-daemon", "sessions", "create", "kept", "mock"]);
    expect(await first.run(["sandbox-daemon", "sessions", "stream-message", "kept", "echo one"])).toMatchObject({
      code: 0,
    });
    expect(await first.stop()).toBe(0);
    const second = await start(slim, options);
    const told = await second.run([
      "sandbox-daemon",
      "sessions",
      "stream-message",
      "kept",
      "history",
      "--format",
      "text",
    ]);
    expect(told).toMatchObject({ code: 0, said: expect.stringContaining("echo one") });
    expect(await second.stop()).toBe(0);
  });

  it("as Kubernetes starts it, with no more rights than its file gives, agents still run as their user", async () => {
    const documents = parseAllDocuments(read("kubernetes.yaml")).map((one) => one.toJS());
    const { spec } = documents.find(({ kind }) => kind === "StatefulSet");
    const [pod] = spec.template.spec.containers;
    const { securityContext, volumeMounts, args } = pod;
    const emptied = new Set(spec.template.spec.volumes.map(({ name }: { name: string }) => name));
    const claimed = new Set(
      spec.volumeClaimTemplates.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    );
    const mounts: Record<string, string> = {};
    for (const { name, mountPath } of volumeMounts) {
      expect(claimed.has(name) !== emptied.has(name), name).toBe(true);
      if (claimed.has(name)) mounts[mountPath] = await rootFolder();
    }
    // What outlives a pod is all that the image names.
    expect(Object.keys(mounts).sort()).toEqual([...slim.config.volumes].sort());
    expect(securityContext.readOnlyRootFilesystem).toBe(true);
    const memory = volumeMounts
      .filter(({ name }: { name: string }) => emptied.has(name))
      .map(({ mountPath }: { mountPath: string }) => mountPath);
    const capabilities: string[] = securityContext.capabilities.add;
    const one = await start(slim, { mounts, memory, args, env: token, isReadOnly: true, capabilities });
    expect((await one.run(["grep", "CapBnd", "/proc/1/status"])).said).toMatch(/CapBnd:\s+00000000000000eb/);
    expect(await one.run(["sandbox-daemon", "run", "mock", "env USER"])).toMatchObject({
      said: expect.stringContaining("agent"),
    });
    const probe = pod.readinessProbe.httpGet;
    const host = `Host: ${probe.httpHeaders[0].value}`;
    expect(await one.run(["curl", "-fs", "-H", host, `http://127.0.0.1:${probe.port}${probe.path}`])).toMatchObject({
      code: 0,
    });
    expect(await one.run(["touch", "/work/file"], { uid: agent })).toMatchObject({ code: 0 });
    expect(await one.stop()).toBe(0);
  });

  it("as process 1 without an init the daemon runs turns and ends, with its agents, at SIGTERM", async () => {
    const entrypoint = ["sandbox-daemon", "serve", "--host", "0.0.0.0", "--agent-user", "agent"];
    const mounts = { ...(await volumes()), "/home/agent": await rootFolder() };
    const one = await start(slim, { mounts, entrypoint, env: token });
    expect((await one.run(["cat", "/proc/1/comm"])).said).toMatch(/node|sandbox-daemon/);
    await one.run(["sandbox-daemon", "sessions", "create", "one", "mock"]);
    expect(await one.run(["sandbox-daemon", "sessions", "stream-message", "one", "orphan"])).toMatchObject({ code: 0 });
    expect(await one.stop()).toBe(0);
  });

  it("the feature for development containers puts the executable into a bare Debian, and starts it with the container", async () => {
    const file = join(top, "Developed");
    await writeFile(
      file,
      'FROM debian:bookworm-slim\nVOLUME ["/feature", "/releases", "/var/lib/sandbox-daemon"]\nWORKDIR /feature\n',
    );
    const image = await buildImage(file, top, top);
    const [releases, data] = [await rootFolder(), await rootFolder()];
    await cp(release, join(releases, "v0.1.0"), { recursive: true });
    const feature = join(root, "deploy/devcontainer-feature/sandbox-daemon");
    const mounts = { "/feature": feature, "/releases": releases, "/var/lib/sandbox-daemon": data };
    const { containerEnv, entrypoint } = JSON.parse(
      read("devcontainer-feature/sandbox-daemon/devcontainer-feature.json"),
    );
    // As its tool does it: the options in capitals, then the entrypoint in front of what the container is for.
    const options = { VERSION: "0.1.0", SOURCE: "/releases", START: "true", _REMOTE_USER: "root", ...containerEnv };
    const script = `sh install.sh && ${entrypoint} tail -F /tmp/sandbox-daemon.log`;
    const one = await start(image, { mounts, entrypoint: ["sh", "-c", script], env: options });
    expect(await one.run(["sandbox-daemon", "run", "mock", "echo developed"])).toMatchObject({
      code: 0,
      said: expect.stringContaining("developed"),
    });
    expect(await readdir(data)).toContain("sessions");
  });

  it("the one without a distribution runs as its user from a root that cannot be written, and is healthy", async () => {
    const image = await buildImage(join(root, "deploy/Dockerfile.distroless"), release, top);
    const data = await rootFolder();
    await chown(data, 65532, 65532);
    const one = await start(image, {
      mounts: { "/data": data },
      memory: ["/tmp"],
      isReadOnly: true,
      user: [65532, 65532],
      env: token,
    });
    expect(await one.run(image.config.healthcheck, { uid: 65532 })).toMatchObject({ code: 0 });
    const program = "/usr/local/bin/sandbox-daemon";
    const told = await one.run([program, "run", "mock", "echo hello"], { uid: 65532 });
    expect(told).toMatchObject({ code: 0, said: expect.stringContaining("hello") });
    expect((await one.run(["/bin/sh", "-c", "true"])).code).not.toBe(0);
    expect((await readdir(data)).sort()).toContain("sessions");
    expect(await one.stop()).toBe(0);
  });
});
