import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { parseJson } from "@muster/core";
import type { InstalledAgent } from "@muster/schema";
import type { InstallProgress } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { hashFile } from "../release/integrity.ts";
import type { Artifact, Release } from "../release/release.ts";
import { checkVersion } from "../release/version-mismatch.ts";
import { InstalledVersions, type InstallRecord } from "./installed-versions.ts";
import { unpackArtifact } from "./unpack-artifact.ts";

const verifiedBy = "not checked: a file the operator named";
const manifestMember = "package/package.json";
const mostManifestBytes = 1024 ** 2;

/** Whether the operator's file is a packed package of ours and not a program. */
export function isPacked(path: string): boolean {
  return /\.(tgz|tar\.gz)$/.test(path);
}

/** What has been installed of this very tarball: one that was replaced is another one. `trusting` looks at its name only. */
export async function findUnpacked(
  host: AgentHost,
  release: Release,
  path: string,
  { version, trusting }: { version?: string | undefined; trusting?: boolean },
): Promise<InstallRecord | undefined> {
  const versions = new InstalledVersions(host.dataDirectory, release.id);
  const url = pathToFileURL(path).href;
  const records = (await versions.all()).filter((one) => one.url === url && (version ?? one.version) === one.version);
  if (trusting || records.length === 0) return records[0];
  // A tarball that is gone has been installed all the same.
  const hash = await hashFile(path, "sha256").catch(() => records[0]?.downloadSha256);
  const record = records.find((one) => one.downloadSha256 === hash);
  return record !== undefined && (await versions.isIntact(record)) ? record : undefined;
}

/** Unpacks it beside what was downloaded; everything it needs is inside. */
export async function installPacked(
  host: AgentHost,
  release: Release,
  path: string,
  wanted: string | undefined,
  report: (step: InstallProgress) => void,
): Promise<InstalledAgent> {
  const artifact = await readArtifact(release, path);
  if (wanted !== undefined) checkVersion(wanted, artifact.version, `${release.name} in ${path}`);
  const versions = new InstalledVersions(host.dataDirectory, release.id);
  await versions.sweep();
  const folder = await versions.newFolder(artifact.version, randomUUID());
  try {
    report({ stage: "extracting", detail: path });
    const record = await unpackArtifact(host, "file", { path, folder, artifact, verifiedBy });
    await versions.commit(record);
    const { version } = record;
    return { version, path: versions.programOf(record), source: "file", verifiedBy, alreadyInstalled: false };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What the package says of itself. Only our own has the right name: the registry's `codebuff` is somebody else's. */
async function readArtifact(release: Release, path: string): Promise<Artifact> {
  const own = release.sources.find((source) => source.kind === "workspace")?.package;
  if (own === undefined) throw new Error(`${path} is an archive, and ${release.name} is taken as a program`);
  const { name, version, bin } = await readManifest(path);
  if (name !== own) throw new Error(`${path} is the package ${String(name)}, not ${own}`);
  const command = (bin as Record<string, unknown> | undefined)?.[release.command];
  if (typeof version !== "string" || typeof command !== "string")
    throw new Error(`${path} has no command ${release.command}`);
  const program = posix.join("package", command);
  if (!program.startsWith("package/")) throw new Error(`the command ${command} of ${path} lies outside of it`);
  const manifest = { member: manifestMember, version };
  return { version, url: pathToFileURL(path).href, packing: "tar.gz", member: program, program, manifest };
}

async function readManifest(path: string): Promise<{ name?: unknown; version?: unknown; bin?: unknown }> {
  const { list } = await import("tar");
  const chunks: Buffer[] = [];
  await list({
    file: path,
    filter: (name, entry) => name === manifestMember && (entry.size ?? 0) <= mostManifestBytes,
    onReadEntry: (entry) => entry.on("data", (chunk: Buffer) => chunks.push(chunk)),
  });
  const manifest = parseJson(Buffer.concat(chunks).toString("utf8"));
  if (typeof manifest !== "object" || manifest === null) throw new Error(`${path} is not a packed package`);
  return manifest;
}
