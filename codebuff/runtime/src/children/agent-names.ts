/** `publisher/id@version` → `id`. */
export function shortName(id: string): string {
  return id.replace(/^.*\//, "").replace(/@[^@]*$/, "");
}

/** The allowed id a model means: the whole id or its short name, with `_` and `-` interchangeable. */
export function matchAgent(requested: string, allowed: Iterable<string>): string | undefined {
  const ids = [...allowed];
  if (ids.includes(requested)) return requested;
  const wanted = plain(requested);
  return ids.find((id) => plain(id) === wanted);
}

function plain(id: string): string {
  return shortName(id).replaceAll("_", "-");
}

/** What a model asked to spawn and may not, in words. */
export function refusedAgents(requested: readonly string[], allowed: Iterable<string>): string[] {
  const ids = [...allowed];
  return requested.filter((name) => matchAgent(name, ids) === undefined).map(notAvailable);
}

export function notAvailable(name: string): string {
  return `Agent "${name}" is not available to spawn`;
}
