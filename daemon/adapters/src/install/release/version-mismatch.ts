/** What came is not the version it is said to be. */
export class VersionMismatch extends Error {
  override readonly name = "VersionMismatch";
  readonly wanted: string;
  readonly found: string;

  constructor(wanted: string, found: string, by: string) {
    super(`${by} says ${found}, not ${wanted}`);
    this.wanted = wanted;
    this.found = found;
  }
}

/** Throws when `by` names another version than the wanted one. */
export function checkVersion(wanted: string, found: string, by: string): void {
  // Registries drop what stands behind a plus; it does not make another version.
  if (wanted.replace(/\+.*$/, "") !== found.replace(/\+.*$/, "")) throw new VersionMismatch(wanted, found, by);
}
