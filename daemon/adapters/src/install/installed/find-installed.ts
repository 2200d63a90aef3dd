import type { InstalledAgent } from "@muster/schema";
import type { AgentHost } from "../../host.ts";
import { findOnPath, isProgram } from "../../process/find-on-path.ts";
import { isDriven } from "../release/driven-version.ts";
import type { BuiltInSource, Release } from "../release/release.ts";
import { InstalledVersions, type InstallRecord } from "./installed-versions.ts";
import { findUnpacked, isPacked } from "./packed-agent.ts";
import { programVersion } from "./program-version.ts";
import { workspaceCommand } from "./workspace-command.ts";

export type Found = Omit<InstalledAgent, "alreadyInstalled">;

/**
 * The program a session would get without downloading: a file the operator named, one of ours (whole and unchanged),
 * one of the packages the daemon came with, one on PATH. A pinned version takes nothing else.
 * `trusting` leaves out the reading of the whole program, for answers that only tell.
 */
export async function findInstalled(
  host: AgentHost,
  release: Release,
  options: { version?: string | undefined; trusting?: boolean } = {},
): Promise<Found | undefined> {
  const { version } = options;
  const [first] = release.sources;
  if (first?.kind === "built-in")
    return version === undefined || version === first.version ? builtIn(first) : undefined;
  const chosen = host.install?.sources?.[release.id];
  const named = chosen?.[0]?.kind === "file" ? await operatorsFile(host, release, chosen[0].path, options) : undefined;
  if (named && (version === undefined || named.version === version)) return named;
  const ours = chosen?.every(({ kind }) => kind === "file") ? undefined : await installedByUs(host, release, options);
  if (ours) return ours;
  // An operator who names sources means those and not whatever lies on PATH.
  if (chosen) return undefined;
  const others: [Found["source"], string | undefined][] = [
    ["workspace", await inWorkspace(release)],
    ["PATH", release.isNotOnPath ? undefined : await findOnPath(release.command, host.env)],
  ];
  for (const [source, path] of others) {
    const found = path === undefined ? undefined : await checkProgram(host, path, source);
    if (found && (version === undefined || found.version === version)) return found;
  }
  return undefined;
}

async function operatorsFile(
  host: AgentHost,
  release: Release,
  path: string,
  options: { version?: string | undefined; trusting?: boolean },
): Promise<Found | undefined> {
  if (!isPacked(path)) return await checkProgram(host, path, "file");
  const record = await findUnpacked(host, release, path, options);
  return record && foundBy(new InstalledVersions(host.dataDirectory, release.id), record);
}

async function inWorkspace({ sources, command }: Release): Promise<string | undefined> {
  const source = sources.find(({ kind }) => kind === "workspace");
  return source?.kind === "workspace" ? await workspaceCommand(command, source.package) : undefined;
}

function builtIn({ version, path }: BuiltInSource): Found {
  return { version, path, source: "built in", verifiedBy: "part of the daemon" };
}

async function installedByUs(
  host: AgentHost,
  release: Release,
  { version, trusting }: { version?: string | undefined; trusting?: boolean },
): Promise<Found | undefined> {
  const versions = new InstalledVersions(host.dataDirectory, release.id);
  const record = version === undefined ? newestOf(await versions.all(), release) : await versions.get(version);
  if (!record) return undefined;
  if (trusting !== true && !(await versions.isIntact(record))) {
    host.log("warn", "an installed agent was changed and is installed again", { agent: release.id, version });
    return undefined;
  }
  return foundBy(versions, record);
}

/** The newest that is driven; where none is, the newest, which is then refused by its name. */
function newestOf(records: readonly InstallRecord[], release: Release): InstallRecord | undefined {
  return records.find(({ version }) => isDriven(release, version)) ?? records[0];
}

function foundBy(versions: InstalledVersions, record: InstallRecord): Found {
  const { version, source, verifiedBy } = record;
  return { version, path: versions.programOf(record), source, verifiedBy };
}

/** What others have put on this machine is theirs to vouch for. */
const vouchers: Readonly<Record<string, string>> = {
  file: "not checked: a file the operator named",
  PATH: "not checked: found on PATH",
  workspace: "part of this installation",
};

async function checkProgram(host: AgentHost, path: string, source: string): Promise<Found | undefined> {
  if (!(await isProgram(path))) return undefined;
  try {
    const version = await programVersion(host, path, host.home);
    return { version, path, source, verifiedBy: vouchers[source] ?? "not checked" };
  } catch (error) {
    host.log("warn", "a program that was found does not run", { path, source, error: String(error) });
    return undefined;
  }
}
