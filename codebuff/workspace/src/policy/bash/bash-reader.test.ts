// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are bash, and ${ is its own.
import fc from "fast-check";
import { expect, test } from "vitest";
import { onlyReads } from "../read-only/read-only-commands.ts";
import { loadBashReader } from "./bash-reader.ts";
import { readCommand } from "./called-programs.ts";

const readShell = await loadBashReader();
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
  ["diff <(a) <(b)", [["a"], ["b"], ["diff", "<(a)", "<(b)"]]],
  ["echo {a,b}c 'd{e,f}'", [["echo", "ac", "bc", "d{e,f}"]]],
  ["r''m \"x\"y $'\\x2drf' \\z", [["rm", "xy", "-rf", "z"]]],
  [
    "echo ${z:-$(a)} ${z:-`b`} $(( $(c) )) ${d[$(e)]} $[ $(f) ]",
    [["a"], ["b"], ["c"], ["e"], ["f"], expect.anything()],
  ],
  ["cat <<X\n$(a) `b` ${c:-$(d)}\nX", [["a"], ["b"], ["d"], ["cat"]]],
  ["cat <<'X'\n$(a) `b`\nX", [["cat"]]],
  ["x=$(a) b; c[$(d)]=1", [["a"], ["b"], ["d"], []]],
  ["f() { a; }; function g { b; }", [["a"], ["b"]]],
  ["[[ -n $(a) ]] && (( $(b) ))", [["a"], ["[[", "-n", "$(a)"], ["b"]]],
  ['a "b $(c "d $(e)")"', [["e"], ["c", "d $(e)"], ["a", expect.anything()]]],
  ["case $(a) in b) c;; esac; select x in $(d); do e; done", [["a"], ["c"], ["d"], ["e"]]],
  ["a\\\nb", [["ab"]]],
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
  expect(second?.stdin).toEqual({ commands: [first] });
});

test("a here-document feeds its command, and the pipe behind it too", () => {
  const { commands } = readShell("cat <<'X' | sh\nrm a\nX");
  expect(commands.map((command) => command.words[0]?.text)).toEqual(["cat", "sh"]);
  expect(commands[0]?.stdin).toMatchObject({ text: { text: "rm a\n", sure: true } });
  expect(commands[1]?.stdin).toMatchObject({ commands: [commands[0]] });
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
      onlyReads(readCommand(given, readShell));
    }),
    { numRuns: 2000 },
  );
});
