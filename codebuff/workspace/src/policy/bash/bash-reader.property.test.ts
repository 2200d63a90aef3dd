import fc from "fast-check";
import { expect, test } from "vitest";
import { onlyReads } from "../read-only/read-only-commands.ts";
import { loadBashReader } from "./bash-reader.ts";
import { readCommand } from "./called-programs.ts";

const read = await loadBashReader();

/** Ways to write a call of `shred`. */
const spelling = fc.constantFrom(
  "shred",
  "sh''red",
  'sh""red',
  "s\\hred",
  "'shred'",
  '"shred"',
  "$'\\x73hred'",
  "/usr/bin/shred",
  "sh\\\nred",
  "sudo shred",
  "env A=1 shred",
  "nohup nice -n 5 shred",
  "timeout 3 shred",
  "command shred",
  "exec shred",
  "A=b shred",
  "! shred",
  "time shred",
  ">/dev/null shred",
  "xargs shred",
  "busybox shred",
  "stdbuf -o0 shred",
  "{shred,-u}",
);
const forbidden = fc
  .tuple(spelling, fc.constantFrom("", " x", " -u 'a b'", ' "$y"', " a{1,2}"))
  .map((parts) => parts.join(""));

/** Holds the hidden command as text in single quotes; a quote in it is written the way shells want it. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const harmless = fc.constantFrom(
  "ls",
  "echo a b",
  "true",
  "git status",
  "cat 'a b' \"c $d\"",
  "wc -l <in",
  "printf '%s\\n' x",
);

type Wrap = (inner: string, other: string) => string;
const wraps: readonly Wrap[] = [
  (inner, other) => `${other}; ${inner}`,
  (inner, other) => `${inner} && ${other}`,
  (inner, other) => `${other} || ${inner}`,
  (inner, other) => `${other} | { ${inner}; }`,
  (inner, other) => `( ${inner} ) | ${other}`,
  (inner, other) => `${other} & ${inner}`,
  (inner) => `( ${inner} )`,
  (inner) => `{ ${inner}; }`,
  (inner, other) => `if ${other}; then ${inner}; fi`,
  (inner, other) => `if ${inner}; then ${other}; else ${other}; fi`,
  (inner, other) => `if ${other}; then ${other}; elif ${other}; then ${inner}; fi`,
  (inner) => `while ${inner}; do break; done`,
  (inner) => `until false; do ${inner}; done`,
  (inner) => `for f in a b; do ${inner}; done`,
  (inner) => `for f in $( ${inner} ); do :; done`,
  (inner) => `for ((i=0; i<2; i++)); do ${inner}; done`,
  (inner) => `case x in (x) ${inner};; esac`,
  (inner) => `case $( ${inner} ) in *) :;; esac`,
  (inner) => `f() { ${inner}; }; f`,
  (inner) => `function g { ${inner}; }`,
  (inner) => `echo $( ${inner} )`,
  (inner) => `echo "a $( ${inner} ) b"`,
  (inner) => `x=$( ${inner} )`,
  (inner, other) => `x="$( ${inner} )" ${other}`,
  (inner) => `export x=$( ${inner} )`,
  (inner) => `echo \${z:-$( ${inner} )}`,
  (inner) => `echo "\${z:=$( ${inner} )}"`,
  (inner) => `echo $(( $( ${inner} ) + 1 ))`,
  (inner) => `(( $( ${inner} ) ))`,
  (inner) => `echo \${a[$( ${inner} )]}`,
  (inner) => `a[$( ${inner} )]=1`,
  (inner) => `a=( b $( ${inner} ) )`,
  (inner) => `[[ -n $( ${inner} ) ]]`,
  (inner) => `[ "$( ${inner} )" = x ]`,
  (inner) => `cat <( ${inner} )`,
  (inner, other) => `${other} > >( ${inner} )`,
  (inner) => `while read -r l; do :; done < <( ${inner} )`,
  (inner) => `cat <<EOF\nline $( ${inner} )\nEOF`,
  (inner, other) => `cat <<EOF\ntext\nEOF\n${other}; ${inner}`,
  (inner, other) => `cat <<'EOF'\nit's $(no\nEOF\n${other} && ${inner}`,
  (inner) => `cat <<< "$( ${inner} )"`,
  (inner) => `eval ${quoted(inner)}`,
  (inner) => `bash -c ${quoted(inner)}`,
  (inner) => `sudo sh -xc ${quoted(inner)}`,
  (inner) => `echo ${quoted(inner)} | sh`,
  (inner) => `bash <<'END'\n${inner}\nEND`,
  (inner) => `trap ${quoted(inner)} EXIT`,
  (inner) => `find . -exec bash -c ${quoted(inner)} ';'`,
  (inner) => `xargs -n1 sh -c ${quoted(inner)}`,
  (inner) => `su -c ${quoted(inner)} root`,
  (inner) => `coproc { ${inner}; }`,
  (inner, other) => `# a comment\n${other} # another ${"`"}\n${inner}`,
  (inner, other) => `${other} \\\n  && ${inner}`,
  (inner) => `let "x = $( ${inner} )"`,
  (inner) => `PROMPT_COMMAND=${quoted(inner)}`,
  (inner) => `alias l=${quoted(inner)}`,
];

const hidden = fc
  .tuple(forbidden, fc.array(fc.tuple(fc.constantFrom(...wraps), harmless), { maxLength: 6 }))
  .map(([command, layers]) => layers.reduce((inner, [wrap, other]) => wrap(inner, other), command));

test("a forbidden command is found at whatever depth it stands, and the line never passes for one that only reads", () => {
  fc.assert(
    fc.property(hidden, (text) => {
      const reading = readCommand(text, read);
      expect(reading.programs.map((program) => program.name)).toContain("shred");
      expect(onlyReads(reading)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});

test.each(wraps.map((wrap) => wrap("shred x", "ls")))("it is found in %j", (text) => {
  expect(readCommand(text, read).programs.map((program) => program.name)).toContain("shred");
});
