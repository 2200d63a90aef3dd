import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { InstalledAgent } from "@muster/schema";
import type { InstallProgress } from "../adapter.ts";
import type { AgentHost } from "../host.ts";
import { type Network, networkOf } from "../network/http.ts";
import { isProgram } from "../process/find-on-path.ts";
import { isDiskFailure } from "./disk-failure.ts";
import { findInstalled } from "./installed/find-installed.ts";
import { InstalledVersions, type InstallRecord } from "./installed/installed-versions.ts";
import { installPacked, isPacked } from "./installed/packed-agent.ts";
import { programVersion } from "./installed/program-version.ts";
import { unpackArtifact } from "./installed/unpack-artifact.ts";
import { checkDriven } from "./release/driven-version.ts";
import { IntegrityFailure, verifyFile } from "./release/integrity.ts";
import { thisPlatform } from "./release/platform.ts";
import type { Artifact, Release, ReleaseSource } from "./release/release.ts";
import type { ChosenSource } from "./release/settings.ts";
import { checkVersion } from "./release/version-mismatch.ts";
import { type Download, discardDownload, download } from "./source/download.ts";
import { readNpmConfig } from "./source/npm-config.ts";
import { resolveArtifact } from "./source/sources.ts";

/** `missing`: chosen by the operator, and the agent has no such source. */
type Offer = ReleaseSource | Extract<ChosenSource, { kind: "file" }> | { kind: "missing"; wanted: string };

interface Wanted {
  version: string | undefined;
  reinstall?: boolean | undefined;
}

type Report = (step: InstallProgress) => void;

const mostBytes = 2 * 1024 ** 3;

/** The sources of an agent in order: those the operator chose, or those of its release. */
export function offers(host: AgentHost, release: Release): Offer[] {
  const chosen = host.install?.sources?.[release.id];
  if (!chosen) return [...release.sources];
  return chosen.map((choice) => {
    const own = release.sources.find(({ kind }) => kind === choice.kind);
    return choice.kind === "file" ? choice : (own ?? { kind: "missing", wanted: choice.kind });
  });
}

/** Resolve, download, verify, extract, try, and only then make it the installed version. */
export async function installFrom(
  host: AgentHost,
  release: Release,
  offer: Offer,
  wanted: Wanted,
  report: Report,
): Promise<InstalledAgent> {
  report({ stage: "resolving", detail: offer.kind });
  switch (offer.kind) {
    case "file":
      return isPacked(offer.path)
        ? await installPacked(host, release, offer.path, wanted.version, report)
        : await localFile(host, release, offer.path, wanted);
    case "missing":
      throw new Error(`${release.name} has no source '${offer.wanted}'`);
    case "built-in":
      throw new Error(`${release.name} is part of the daemon; there is only version ${offer.version}`);
    case "workspace":
      throw new Error(`this installation has no command ${release.command}`);
    case "vendor":
    case "npm":
      return await installDownload(host, release, offer, wanted, report);
  }
}

async function installDownload(
  host: AgentHost,
  release: Release,
  source: Extract<Offer, { kind: "vendor" | "npm" }>,
  { version, reinstall }: Wanted,
  report: Report,
): Promise<InstalledAgent> {
  const { install } = host;
  // The daemon's own home: agents that run as another user must not decide where programs come from.
  const config = await readNpmConfig(host.env, host.user ? host.env.HOME : host.home);
  const network = await networkOf(host.env, config);
  const signal = install?.signal;
  const context = { network, config, platform: install?.platform ?? thisPlatform(), mirror: install?.mirror, signal };
  const artifact = await resolveArtifact(context, release, source, version);
  checkDriven(release, artifact);
  const versions = new InstalledVersions(host.dataDirectory, release.id);
  // `latest` may be what we have.
  const existing = reinstall === true ? undefined : await findInstalled(host, release, { version: artifact.version });
  if (existing) return { ...existing, alreadyInstalled: true };
  await versions.sweep();
  const { url, headers = {} } = artifact;
  const path = join(versions.downloads, `${nameOf(url)}.partial`);
  const progress = throttle(report, url);
  const folder = await versions.newFolder(artifact.version, randomUUID());
  try {
    const isVouchedFor = artifact.integrity !== undefined;
    const verifiedBy = await downloadVerified(
      network,
      { url, headers, path, mostBytes, isVouchedFor, progress, signal },
      () => {
        report({ stage: "verifying", detail: url });
        return versions.record(artifact.version).then((previous) => verify(path, artifact, previous));
      },
    );
    report({ stage: "extracting", detail: url });
    const record = await unpackArtifact(host, source.kind, { path, folder, artifact, verifiedBy });
    await versions.commit(record);
    await rm(versions.downloads, { recursive: true, force: true });
    return {
      version: record.version,
      path: versions.programOf(record),
      source: record.source,
      verifiedBy,
      alreadyInstalled: false,
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    // What is wrong stays wrong; only what is unfinished is worth keeping, and not on a full disk.
    if (error instanceof IntegrityFailure || isDiskFailure(error)) await discardDownload(path);
    throw error;
  }
}

const reportEveryMs = 100;

function throttle(report: Report, detail: string): (receivedBytes: number, totalBytes: number | undefined) => void {
  let reportedAt = 0;
  return (receivedBytes, totalBytes) => {
    const now = Date.now();
    if (now - reportedAt < reportEveryMs && receivedBytes !== totalBytes) return;
    reportedAt = now;
    report({ stage: "downloading", receivedBytes, totalBytes, detail });
  };
}

/** What an earlier process began may have been the beginning of another file: then it is downloaded once more, whole. */
async function downloadVerified(network: Network, request: Download, check: () => Promise<string>): Promise<string> {
  const { resumed } = await download(network, request);
  try {
    return await check();
  } catch (error) {
    if (!resumed || !(error instanceof IntegrityFailure)) throw error;
    await discardDownload(request.path);
    await download(network, request);
    return await check();
  }
}

/** Who vouches for the file. Without anybody, the first install is the measure for all later ones of that version. */
async function verify(
  path: string,
  { integrity, url }: Artifact,
  previous: InstallRecord | undefined,
): Promise<string> {
  if (integrity) {
    await verifyFile(path, integrity);
    const { from, algorithm, signature } = integrity;
    return `${from} (${algorithm})${signature === undefined ? "" : `; ${signature}`}`;
  }
  if (previous?.url !== url)
    return "recorded: nobody vouches for it, so its sha256 was recorded with this first install";
  const from = `the record of the install at ${previous.installedAt}`;
  await verifyFile(path, { algorithm: "sha256", digest: previous.downloadSha256, from });
  return "recorded: the same sha256 as at its first install";
}

/** Used where it lies: it is the operator's to replace. */
async function localFile(host: AgentHost, release: Release, path: string, wanted: Wanted): Promise<InstalledAgent> {
  if (!(await isProgram(path))) throw new Error(`${path} is not a program`);
  const version = await programVersion(host, path, host.home);
  if (wanted.version !== undefined) checkVersion(wanted.version, version, `${release.name} in ${path}`);
  checkDriven(release, { version, path });
  return {
    version,
    path,
    source: "file",
    verifiedBy: "not checked: a file the operator named",
    alreadyInstalled: true,
  };
}

function nameOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 32);
}
