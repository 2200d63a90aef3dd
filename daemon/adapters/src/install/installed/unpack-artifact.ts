import { copyFile, open, readFile, rename, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseJson } from "@muster/core";
import type { AgentHost } from "../../host.ts";
import { extractTarGz } from "../archive/extract-archive.ts";
import { hashFile } from "../release/integrity.ts";
import type { Artifact } from "../release/release.ts";
import { checkVersion } from "../release/version-mismatch.ts";
import type { InstallRecord } from "./installed-versions.ts";
import { programVersion } from "./program-version.ts";

export interface VerifiedArtifact {
  path: string;
  folder: string;
  artifact: Artifact;
  verifiedBy: string;
}

/** A verified file becomes a program that has been tried; the record says what it is, and counts once it is committed. */
export async function unpackArtifact(
  host: AgentHost,
  source: string,
  verified: VerifiedArtifact,
): Promise<InstallRecord> {
  await unpack(verified.path, verified.folder, verified.artifact);
  await checkManifest(verified.folder, verified.artifact);
  return await recordOf(host, source, verified);
}

async function unpack(path: string, folder: string, { packing, member, program }: Artifact): Promise<void> {
  switch (packing) {
    case "plain":
      await copyFile(path, join(folder, program));
      break;
    case "tar.gz":
      await extractTarGz(path, folder);
      break;
  }
  if (packing !== "plain" && member !== program) await rename(join(folder, member), join(folder, program));
  const file = await open(join(folder, program), "r+");
  try {
    await file.chmod(0o755);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What the registry says about a package and what is inside it are two claims. */
async function checkManifest(folder: string, { manifest, url }: Artifact): Promise<void> {
  if (!manifest) return;
  // A package without a manifest that can be read names no version, and that is what is said.
  const text = await readFile(join(folder, manifest.member), "utf8").catch(() => "{}");
  const { version = "none" } = (parseJson(text) ?? {}) as { version?: unknown };
  checkVersion(manifest.version, String(version), `the package.json in ${url}`);
}

async function recordOf(host: AgentHost, source: string, unpacked: VerifiedArtifact): Promise<InstallRecord> {
  const { path, folder, artifact, verifiedBy } = unpacked;
  const program = join(folder, artifact.program);
  // A package that unpacks is not yet one that runs here, nor the one it is said to be.
  checkVersion(artifact.version, await programVersion(host, program), "the program itself");
  return {
    format: 1,
    version: artifact.version,
    source,
    url: artifact.url,
    verifiedBy,
    downloadSha256: await hashFile(path, "sha256"),
    program: join(basename(folder), artifact.program),
    programSha256: await hashFile(program, "sha256"),
    programBytes: (await stat(program)).size,
    installedAt: new Date().toISOString(),
  };
}
