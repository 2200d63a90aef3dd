import type { SemVer } from "semver";

/** Sorts versions, oldest first: a pre-release before its release, and what is no version before all of them. */
export async function sortVersions(versions: readonly string[]): Promise<string[]> {
  const { coerce, compareBuild, parse } = await import("semver");
  // Vendors leave out the last number at times: 2.0 is 2.0.0.
  const read = (version: string): SemVer | string => parse(version) ?? coerce(version) ?? "0.0.0-0";
  return [...versions].sort((left, right) => compareBuild(read(left), read(right)));
}
