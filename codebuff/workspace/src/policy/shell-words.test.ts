import fc from "fast-check";
import { expect, test } from "vitest";
import { onlyReads } from "./read-only-commands.ts";
import { readShell } from "./shell-words.ts";

const words = (text: string) => readShell(text).commands.map((command) => command.words.map((word) => word.text));

test.each([
  ["a b c", [["a", "b", "c"]]],
  ["a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]],
  ["a && b || c; d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
  ["if a; then b; else c; fi", [["a"], ["b"], ["c"]]],
  ["for x in 1 2; do echo $x; done", [["echo", "$x"]]],
  ["echo $(a $(b))", [["b"], ["a", "$(b)"], ["echo", "$(a $(b))"]]],
  ["a # b; c", [["a"]]],
  ["a b#c", [["a", "b#c"]]],
  ["a \\\n b", [["a", "b"]]],
  ["cat <<X\nrm -rf /\nX\nls", [["cat"], ["ls"]]],
  ["diff <(a) <(b)", [["a"], ["b"], ["diff", "$(a)", "$(b)"]]],
])("%j is read as %j", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test("redirections are kept apart from words, and a pipe knows where it comes from", () => {
  const [first, second] = readShell("a 2>&1 >out.txt <in | b &> all").commands;
  expect(first?.redirects.map(({ operator, target }) => [operator, target.text])).toEqual([
    [">&", "1"],
    [">", "out.txt"],
    ["<", "in"],
  ]);
  expect(second?.redirects.map(({ operator, target }) => [operator, target.text])).toEqual([["&>", "all"]]);
  expect(second?.pipedFrom).toBe(first);
});

test.each(["echo 'a", 'echo "a', "echo $(a", "echo `a", "cat <<X\nbody"])("%j is not complete", (text) => {
  expect(readShell(text).complete).toBe(false);
});

test("any text is read to its end without a throw", () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    "`",
    "$(",
    "$((",
    "(",
    ")",
    "<<X",
    "<",
    ">",
    "&",
    "|",
    ";",
    "\\",
    "#",
    "\n",
    " ",
    "\f",
    "\u00a0",
    "$",
    "${",
    "}",
    "a",
    "2>",
    "<(",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      readShell(given);
      onlyReads(given);
    }),
    { numRuns: 5000 },
  );
});
