type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value, for types where absent and undefined are not the same. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
