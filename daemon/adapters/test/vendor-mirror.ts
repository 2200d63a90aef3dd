import { createHash } from "node:crypto";
import type { AgentHost } from "../src/host.ts";
import type { InstallSettings } from "../src/install/release/settings.ts";
import { type TarEntry, tarGz } from "./archives.ts";
import { type FileServer, startFileServer } from "./file-server.ts";
import { makeHost } from "./host.ts";

/** A host that installs from the given place, for the given machine, and sees nothing of this one. */
export function installingHost(install: InstallSettings, env: NodeJS.ProcessEnv = {}): AgentHost {
  return { ...makeHost({ env: { PATH: "/usr/bin:/bin", ...env } }), install };
}

/** A program that can do nothing but tell its version. */
export function programOf(version: string): string {
  return `#!/bin/sh\necho "${version}"\n`;
}

/** The vendors' hosts on one server, as a mirror has them: `/host/path`. */
export async function startVendorMirror(): Promise<FileServer & { mirror: string }> {
  const server = await startFileServer();
  return { ...server, mirror: server.url };
}

export function sha256(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

export interface NpmPackage {
  name: string;
  version: string;
  files: readonly TarEntry[];
  /** What its package.json says. */
  inside?: string;
  /** `dist.signatures`, made of the text a registry signs. */
  sign?(text: string): readonly { keyid: string; sig: string }[];
}

/** Publishes a package to a registry made of plain files; `latest` is whatever was published last. */
export function publish({ url, files }: FileServer, { name, version, sign, ...content }: NpmPackage): Buffer {
  const manifestInside = JSON.stringify({ name, version: content.inside ?? version });
  const entries = [...content.files, { name: "package.json", content: manifestInside }];
  const tarball = tarGz(entries.map((entry) => ({ ...entry, name: `package/${entry.name}` })));
  const path = `/${name}/-/${version}.tgz`;
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const signatures = sign?.(`${name}@${version}:${integrity}`);
  const manifest = JSON.stringify({ name, version, dist: { integrity, tarball: url + path, signatures } });
  files.set(path, tarball);
  for (const named of [version, "latest"]) files.set(`/${name.replace("/", "%2f")}/${named}`, manifest);
  return tarball;
}

export { tarGz };
