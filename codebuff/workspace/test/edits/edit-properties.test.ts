import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHunks } from "../../src/files/patch/patch-format.ts";
import { applyHunks } from "../../src/files/patch/patch-hunks.ts";
import { replaceText } from "../../src/files/replace/replace-text.ts";
import { unifiedDiff } from "../../src/index.ts";

/** Few words and few depths: near misses and doubles come up all the time. */
const line = fc
  .tuple(
    fc.constantFrom("", "  ", "    ", "\t", "\t\t"),
    fc.constantFrom("a", "a b", "f(a, b)", "f( a,b )", "}", "", "x = 1", "x=1"),
  )
  .map(([indent, text]) => indent + text);
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const text = fc.tuple(lines, fc.boolean(), fc.boolean()).map(([all, ends, crlf]) => {
  const joined = all.join("\n") + (ends ? "\n" : "");
  return crlf ? joined.replaceAll("\n", "\r\n") : joined;
});
const blind = (value: string) => value.replace(/\s+/g, "");

test("a replacement that is made changes one place that reads like the searched text, and nothing else", () => {
  fc.assert(
    fc.property(text, lines, lines, (before, old, fresh) => {
      const searched = old.join("\n");
      fc.pre(searched !== "" && blind(searched) !== "");
      const { text: after, failures } = replaceText(before, [
        { old: searched, new: fresh.join("\n"), allowMultiple: false },
      ]);
      if (failures.length > 0) return after === before;
      const seen = blind(before);
      const wanted = blind(searched);
      const replaced = blind(fresh.join("\n"));
      for (let at = seen.indexOf(wanted); at >= 0; at = seen.indexOf(wanted, at + 1)) {
        if (blind(after) === seen.slice(0, at) + replaced + seen.slice(at + wanted.length)) return true;
      }
      return false;
    }),
    { numRuns: 3000 },
  );
});

test("an empty text stands nowhere, and nothing is changed", () => {
  const replaced = replaceText("\n\n", [{ old: "", new: "a", allowMultiple: true }]);
  expect(replaced).toEqual({ text: "\n\n", failures: [{ index: 0, message: "The old text is empty" }] });
});

test("an exact text that stands once is replaced byte by byte, whatever the endings are", () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), lines, (all, from, count, fresh) => {
      const start = from % all.length;
      const old = all.slice(start, start + 1 + (count % 4)).join("\n");
      const before = `${all.join("\n")}\n`;
      fc.pre(old !== "" && before.split(old).length === 2 && old !== fresh.join("\n"));
      const expected = before.replace(old, () => fresh.join("\n"));
      const replace = (value: string) =>
        replaceText(value, [{ old, new: fresh.join("\n"), allowMultiple: false }]).text;
      expect(replace(before)).toBe(expected);
      expect(replace(before.replaceAll("\n", "\r\n"))).toBe(expected.replaceAll("\n", "\r\n"));
    }),
    { numRuns: 1500 },
  );
});

test("a unified diff of two texts, applied to the first, gives the second", () => {
  fc.assert(
    fc.property(lines, lines, fc.boolean(), fc.boolean(), (a, b, endsA, endsB) => {
      const before = a.join("\n") + (endsA ? "\n" : "");
      const after = b.join("\n") + (endsB ? "\n" : "");
      fc.pre(
        before !== after && before !== "" && after !== "" && !/^\n|\n\n$|^$/.test(after) && !/^\n|\n\n$/.test(before),
      );
      expect(applyHunks(before, parseHunks(unifiedDiff(before, after)))).toBe(after);
    }),
    { numRuns: 1500 },
  );
});
