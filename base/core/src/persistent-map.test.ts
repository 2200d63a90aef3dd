import fc from "fast-check";
import { expect, test } from "vitest";
import { withEntry, withoutEntry } from "./persistent-map.ts";

const change = fc.record({ of: fc.nat(), key: fc.nat({ max: 8 }), value: fc.option(fc.nat()) });

test("every version stays what it was, in the order of its entries, whichever is changed and read", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 20 }), (changes, readings) => {
      const versions: { ours: ReadonlyMap<number, number>; copy: Map<number, number> }[] = [
        { ours: new Map(), copy: new Map() },
      ];
      for (const { of, key, value } of changes) {
        // Mostly the newest, as a converter does.
        const { ours, copy } = versions[of % 3 === 0 ? of % versions.length : versions.length - 1] ?? {
          ours: new Map(),
          copy: new Map(),
        };
        const next = new Map(copy);
        if (value === null) next.delete(key);
        else next.set(key, value);
        versions.push({ ours: value === null ? withoutEntry(ours, key) : withEntry(ours, key, value), copy: next });
      }
      const inAnyOrder = [...readings.map((index) => versions[index % versions.length]), ...versions];
      for (const version of inAnyOrder) {
        if (version === undefined) continue;
        const { ours, copy } = version;
        expect([...ours]).toEqual([...copy]);
        expect([ours.size, [...ours.keys()], [...ours.values()]]).toEqual([
          copy.size,
          [...copy.keys()],
          [...copy.values()],
        ]);
        for (const key of [0, 3, 8]) expect([ours.get(key), ours.has(key)]).toEqual([copy.get(key), copy.has(key)]);
        const seen: [number, number][] = [];
        ours.forEach((value, key) => {
          seen.push([key, value]);
        });
        expect(seen).toEqual([...copy]);
      }
    }),
  );
});
