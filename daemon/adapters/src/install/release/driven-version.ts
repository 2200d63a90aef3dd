import { Failure } from "@muster/schema/wire";
import type { Release } from "./release.ts";

interface FoundVersion {
  version: string;
  /** Where its program lies, if it lies anywhere yet. */
  path?: string;
}

/** Throws `unsupported_agent_version` for a version that the adapter does not drive: what it says would not be understood. */
export function checkDriven(release: Release, { version, path }: FoundVersion): void {
  if (isDriven(release, version)) return;
  const { id, name, majors, tested } = release;
  const found = `${name} ${version}${path === undefined ? "" : ` (${path})`}`;
  const drives = majors.join(" and ");
  const remedy =
    tested === undefined ? "" : `. Version ${tested} is installed beside it by: sandbox-daemon agents install ${id}`;
  const versions = majors.length === 1 ? "version" : "versions";
  const detail = `${found} is not driven here, only major ${versions} ${drives}${remedy}`;
  throw new Failure("unsupported_agent_version", detail, { agent: id, version, path, majors, installs: tested });
}

export function isDriven({ majors }: Pick<Release, "majors">, version: string): boolean {
  return majors.includes(majorOf(version));
}

export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
