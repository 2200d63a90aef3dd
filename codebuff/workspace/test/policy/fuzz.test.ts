import { InputWatch, isLong, random, seed } from "@muster/chaos";
import { test } from "vitest";
import { parseHunks, parseNewContent, parsePatch } from "../../src/files/patch/patch-format.ts";
import { applyHunks } from "../../src/files/patch/patch-hunks.ts";
import { loadBashReader } from "../../src/policy/bash/bash-reader.ts";
import { readCommand } from "../../src/policy/bash/called-programs.ts";
import { judgeCommand } from "../../src/policy/judge-command.ts";
import { onlyReads } from "../../src/policy/read-only/read-only-commands.ts";
import { reading, writing, writingLines } from "./plan-corpus.ts";
import { destroys, harmless } from "./policy-words.ts";

const inputs = isLong ? 1_000_000 : 2_000;
const hours = 3_600_000 * 3;

const read = await loadBashReader();

function judge(text: string): void {
  const found = readCommand(text, read);
  onlyReads(found);
  judgeCommand({
    reading: found,
    risks: [],
    tool: "run_terminal_command",
    rules: [{ effect: "allow", command: "git *" }],
    permissions: "default",
    confined: false,
    remembered: new Set(),
  });
}

const patches = [
  "*** Begin Patch\n*** Update File: a.ts\n@@ class A\n-old\n+new\n context\n*** Add File: b\n+x\n*** Delete File: c\n*** End Patch",
  "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n",
  "--- a\n+++ b\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n",
  "```diff\n@@\n-a\n+b\n```",
  "*** Move to: z\n*** End of File\n",
];

function apply(text: string): void {
  for (const parse of [parsePatch, parseNewContent, parseHunks]) {
    try {
      const found = parse(text);
      if (parse === parseHunks) applyHunks("one\ntwo\nold\n context\n", found as never);
    } catch (error) {
      // A patch that cannot be read is refused by a sentence; anything else is a fault of the reader.
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
    }
  }
}

const pieces = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: pieces of bash
  bash: "' \" \\ $( ) ${ } ` | & ; < > << <<EOF \n EOF <( >( {a,b} [[ ]] (( )) $' \0 # ! ~ * ? [ ] = := function if then fi for in do done case esac while rm -rf / eval sh -c xargs sudo env coproc time \t \u00e9 \ue007 \ud83d 2>&1 |& &&  ||".split(
    " ",
  ),
  patch:
    "@@ @@ -1,2 +1,3 @@ --- +++ *** Begin Patch\n|*** End Patch\n|*** Update File: |*** Move to: |diff --git a/x b/x\n|+|-| |\n|\\|```|\0|\r\n|\ud83d|@@ -99999999999,1 +1 @@\n".split(
      "|",
    ),
} as const;

test.each([
  ["bash policy", "bash", [...reading, ...writing, ...writingLines, ...destroys, ...harmless], judge],
  ["patch reader", "patch", patches, apply],
] as const)(
  "%s: random lines make it neither throw nor hang, and its memory is bounded",
  (fault, kind, corpus, work) => {
    const next = random(seed);
    const watch = new InputWatch(fault);
    for (let at = 0; at < inputs; at += 1) {
      const text = mutate(corpus, pieces[kind], next);
      const begun = performance.now();
      try {
        work(text);
      } catch (error) {
        throw new Error(`${fault} threw for ${JSON.stringify(text)}`, { cause: error });
      }
      watch.read(performance.now() - begun, () => JSON.stringify(text));
    }
    watch.tell();
  },
  hours,
);

/** A line of the corpus, cut, doubled, joined with another and sown with pieces that mean something. */
function mutate(corpus: readonly string[], sown: readonly string[], next: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  let text = pick(corpus);
  for (let rounds = Math.floor(next() * 8); rounds >= 0; rounds -= 1) {
    const at = Math.floor(next() * (text.length + 1));
    const end = at + Math.floor(next() * 12);
    const kind = Math.floor(next() * 5);
    if (kind === 0) text = text.slice(0, at) + pick(sown) + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(end);
    else if (kind === 2) text = text.slice(0, at) + pick(corpus) + text.slice(at);
    else if (kind === 3)
      text = text.slice(0, end) + text.slice(at, end).repeat(1 + Math.floor(next() * 20)) + text.slice(end);
    else text = text.slice(0, at) + String.fromCharCode(Math.floor(next() * 0x3000)) + text.slice(end);
  }
  return text.slice(0, 4_000);
}
