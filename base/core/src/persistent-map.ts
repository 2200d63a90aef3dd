interface Entry<V> {
  value: V;
  /** Its place in the order of insertion. */
  at: number;
}

/**
 * A map of which a change gives a new version and leaves the old as it was, at the cost of one entry.
 * The newest version has the entries, an older one only what the next changed; who reads an old one pays for a copy.
 */
class PersistentMap<K, V> implements ReadonlyMap<K, V> {
  #entries: Map<K, Entry<V>> | undefined;
  #newer: { version: PersistentMap<K, V>; key: K; before: Entry<V> | undefined } | undefined;
  #next: number;

  static of<K, V>(map: ReadonlyMap<K, V>): PersistentMap<K, V> {
    if (map instanceof PersistentMap) return map;
    return new PersistentMap(new Map([...map].map(([key, value], at) => [key, { value, at }])), map.size);
  }

  private constructor(entries: Map<K, Entry<V>>, next: number) {
    this.#entries = entries;
    this.#next = next;
  }

  with(key: K, value: V): PersistentMap<K, V> {
    const entries = this.#own();
    const before = entries.get(key);
    entries.set(key, { value, at: before?.at ?? this.#next });
    return this.#handOn(entries, key, before);
  }

  without(key: K): PersistentMap<K, V> {
    const entries = this.#own();
    const before = entries.get(key);
    if (!entries.delete(key)) return this;
    return this.#handOn(entries, key, before);
  }

  get size(): number {
    return this.#own().size;
  }

  has(key: K): boolean {
    return this.#own().has(key);
  }

  get(key: K): V | undefined {
    return this.#own().get(key)?.value;
  }

  forEach(each: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, { value }] of this.#own()) each(value, key, this);
  }

  keys(): MapIterator<K> {
    return this.#own().keys();
  }

  *values(): MapIterator<V> {
    for (const { value } of this.#own().values()) yield value;
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, { value }] of this.#own()) yield [key, value];
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  #handOn(entries: Map<K, Entry<V>>, key: K, before: Entry<V> | undefined): PersistentMap<K, V> {
    const version = new PersistentMap(entries, this.#next + 1);
    this.#entries = undefined;
    this.#newer = { version, key, before };
    return version;
  }

  /** Of an old version: the newest with every change since taken back. */
  #own(): Map<K, Entry<V>> {
    if (this.#entries !== undefined) return this.#entries;
    const changes: { key: K; before: Entry<V> | undefined }[] = [];
    let newest: PersistentMap<K, V> = this;
    for (; newest.#newer !== undefined; newest = newest.#newer.version) changes.push(newest.#newer);
    const entries = new Map(newest.#entries);
    for (const { key, before } of changes.reverse()) {
      if (before === undefined) entries.delete(key);
      else entries.set(key, before);
    }
    this.#entries = new Map([...entries].sort(([, one], [, other]) => one.at - other.at));
    this.#newer = undefined;
    return this.#entries;
  }
}

/** The map with this entry added or replaced; costs the same however many entries there are. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return PersistentMap.of(map).with(key, value);
}

export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  return map.has(key) ? PersistentMap.of(map).without(key) : map;
}
