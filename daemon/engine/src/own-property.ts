/** What a record holds itself under a name that came from outside: `constructor` is not an id. */
export function ownProperty<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
