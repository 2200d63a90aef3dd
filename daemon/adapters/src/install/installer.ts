import { messageOf } from "@muster/core";
import { SerialQueues } from "@muster/node";
import { Failure, type InstallAgent, type InstalledAgent } from "@muster/schema";
import type { InstallProgress } from "../adapter.ts";
import type { AgentHost } from "../host.ts";
import { isDiskFailure } from "./disk-failure.ts";
import { installFrom, offers } from "./install-from.ts";
import { findInstalled } from "./installed/find-installed.ts";
import { InstalledVersions } from "./installed/installed-versions.ts";
import { checkDriven, isDriven } from "./release/driven-version.ts";
import type { Release } from "./release/release.ts";
import { isVersion } from "./release/vendor.ts";
import { VersionMismatch } from "./release/version-mismatch.ts";

type Progress = (step: InstallProgress) => void;

/** What was tried and why it failed; part of the `install_failed` problem. */
interface TriedSource {
  source: string;
  cause: string;
  /** Where what came is another version than what was asked for. */
  wanted?: string;
  found?: string;
  /** Where what it has is a version that is not driven. */
  unsupported?: Failure;
}

interface Wish extends InstallAgent {
  /** A session takes what is there or nothing; who asks to install wants one that is driven beside what is there. */
  isForSession?: true;
}

interface Running {
  result: Promise<InstalledAgent>;
  listeners: Set<Progress>;
}

/** By the folder of the agent and what was asked for: the same install asked for twice happens once. */
const running = new Map<string, Running>();
/** By the folder of the agent: installs of one agent follow one another. */
const queues = new SerialQueues();

/**
 * A working program of an agent: the pinned version, or the one that is there, or the tested one. `latest` looks for a newer
 * one; `reinstall` downloads again. Throws `install_failed` with every source tried, and `unsupported_agent_version` before
 * anything is downloaded. Safe to call twice at once.
 */
export async function ensureInstalled(
  host: AgentHost,
  release: Release,
  request: Wish = {},
  progress: Progress = () => {},
): Promise<InstalledAgent> {
  const version = request.version === undefined ? undefined : plainVersion(request.version);
  if (version !== undefined && version !== "latest") checkDriven(release, { version });
  const wanted = { ...request, version };
  const folder = new InstalledVersions(host.dataDirectory, release.id).folderOf("");
  const key = [folder, version ?? "", wanted.reinstall === true, wanted.isForSession === true].join("\0");
  const shared = running.get(key) ?? begin(key, folder, (report) => install(host, release, wanted, report));
  shared.listeners.add(progress);
  try {
    const installed = await shared.result;
    checkDriven(release, installed);
    progress({ stage: "done", detail: installed.path });
    return { ...installed, tested: isTested(release, installed) };
  } finally {
    shared.listeners.delete(progress);
  }
}

/** After the installs that were asked for before it. */
export async function uninstall(host: AgentHost, { id }: Release, version?: string): Promise<string[]> {
  const wanted = version === undefined ? undefined : plainVersion(version);
  const versions = new InstalledVersions(host.dataDirectory, id);
  return await queues.run(versions.folderOf(""), () => versions.remove(wanted));
}

function begin(key: string, queue: string, work: (report: Progress) => Promise<InstalledAgent>): Running {
  const listeners = new Set<Progress>();
  const report: Progress = (step) => {
    for (const listener of listeners) listener(step);
  };
  const result = queues.run(queue, () => work(report)).finally(() => running.delete(key));
  const entry = { result, listeners };
  running.set(key, entry);
  return entry;
}

async function install(host: AgentHost, release: Release, request: Wish, report: Progress) {
  const { version, reinstall, isForSession } = request;
  const isOpen = version === undefined || version === "latest";
  const existing = reinstall || version === "latest" ? undefined : await findInstalled(host, release, { version });
  if (existing && (isForSession || isDriven(release, existing.version))) return { ...existing, alreadyInstalled: true };
  // A source may no longer have the tested version; then it is the newest, and the answer says that it is not tested.
  const wishes = version === undefined && release.tested ? [release.tested, undefined] : [isOpen ? undefined : version];
  let tried: TriedSource[] = [];
  for (const wish of wishes) {
    const attempt = await tryOffers(host, release, { version: wish, reinstall }, report);
    if ("installed" in attempt) return attempt.installed;
    tried = attempt.tried;
  }
  const undriven = tried.find(({ unsupported }) => unsupported !== undefined)?.unsupported;
  if (undriven) throw undriven;
  const wanted = isOpen ? "latest" : version;
  const causes = tried.map(({ source, cause }) => `${source}: ${cause}`).join("; ") || "it has no source";
  const detail = `${release.name} (${wanted}) could not be installed. ${causes}`;
  throw new Failure("install_failed", detail, { agent: release.id, version: wanted, sources: tried });
}

async function tryOffers(
  host: AgentHost,
  release: Release,
  wanted: { version: string | undefined; reinstall: boolean | undefined },
  report: Progress,
): Promise<{ installed: InstalledAgent } | { tried: TriedSource[] }> {
  const tried: TriedSource[] = [];
  for (const offer of offers(host, release)) {
    try {
      return { installed: await installFrom(host, release, offer, wanted, report) };
    } catch (error) {
      if (host.install?.signal?.aborted) throw new Failure("shutting_down", "The daemon is shutting down");
      const cause = messageOf(error);
      const versions = error instanceof VersionMismatch ? { wanted: error.wanted, found: error.found } : {};
      const unsupported = error instanceof Failure ? { unsupported: error } : {};
      tried.push({ source: offer.kind, cause, ...versions, ...unsupported });
      host.log("warn", "a source of an agent failed", { agent: release.id, source: offer.kind, cause });
      if (isDiskFailure(error)) break;
    }
  }
  return { tried };
}

/** What comes with the daemon is tested with it. */
function isTested({ tested }: Release, { version, source }: InstalledAgent): boolean {
  return version === tested || source === "workspace" || source === "built in";
}

function plainVersion(version: string): string {
  const plain = version.replace(/^(rust-)?v(?=\d)/, "");
  if (plain === "latest" || isVersion(plain)) return plain;
  throw new Failure("invalid_request", `'${version}' is not a version`, { version });
}
