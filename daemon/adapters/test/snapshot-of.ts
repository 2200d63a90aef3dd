/** A value as it is now, with what its maps and sets hold: the state of a converter must not change. */
export function snapshotOf(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && Symbol.iterator in inner
        ? [...(inner as Iterable<unknown>)]
        : inner,
    ),
  );
}
