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
