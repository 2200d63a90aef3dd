/** The same value with every occurrence of the key replaced. */
export function withoutSecret(value: unknown, secret: string | undefined): unknown {
  if (secret === undefined || secret === "") return value;
  if (typeof value === "string") return value.replaceAll(secret, "[redacted]");
  if (Array.isArray(value)) return value.map((entry) => withoutSecret(entry, secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutSecret(entry, secret)]));
}
