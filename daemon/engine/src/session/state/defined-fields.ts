type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value: what is laid over other fields must not hide them by being undefined. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
