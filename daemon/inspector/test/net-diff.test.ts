import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random, seed } from "@muster/chaos";
import { afterAll, describe, expect, it } from "vitest";
import { netDiff } from "../src/model/net-diff.ts";

const folder = mkdtempSync(join(tmpdir(), "muster-net-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As git tells it, with the names as every agent's changes have them. */
function diffOf(before: readonly string[], after: readonly string[]): string {
  writeFileSync(join(folder, "before"), textOf(before));
  writeFileSync(join(folder, "after"), textOf(after));
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--no-color", "before", "after"], {
    cwd: folder,
    encoding: "utf8",
  });
  const [, hunks = ""] = /(@@[\s\S]*)/.exec(stdout) ?? [];
  return hunks === "" ? "" : `--- a/file\n+++ b/file\n${hunks}`;
}

function applied(before: readonly string[], diff: string): string {
  writeFileSync(join(folder, "file"), textOf(before));
  if (diff !== "") execFileSync("git", ["apply", "-"], { cwd: folder, input: diff });
  return readFileSync(join(folder, "file"), "utf8");
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

describe("the changes of a file as one", () => {
  it("git makes the last text of the first one with it, whatever the edits were", () => {
    const next = random(seed);
    const pick = (most: number) => Math.floor(next() * most);
    const words = ["alpha", "beta", "gamma", "{", "}"];
    for (let round = 0; round < 40; round++) {
      const first = Array.from({ length: 5 + pick(40) }, () => words[pick(words.length)] ?? "");
      const states = [first];
      for (let edit = 0; edit < 1 + pick(4); edit++) {
        const lines = [...(states.at(-1) ?? [])];
        for (let cut = 0; cut < 1 + pick(3); cut++)
          lines.splice(pick(lines.length + 1), pick(4), ...Array.from({ length: pick(3) }, () => words[pick(5)] ?? ""));
        states.push(lines);
      }
      const diffs = states.slice(1).flatMap((after, at) => diffOf(states[at] ?? [], after) || []);
      const net = netDiff(diffs);
      expect(applied(first, net ?? "not one"), `seed ${seed}, round ${round}`).toBe(textOf(states.at(-1) ?? []));
    }
  });

  it("what was taken back is not there, and a line that was changed twice is there once", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    const once = lines.with(20, "another");
    const twice = lines.with(20, "a third");
    expect(netDiff([diffOf(lines, once), diffOf(once, lines)])).toBe("");
    const net = netDiff([diffOf(lines, once), diffOf(once, twice)]);
    expect(net?.split("\n").filter((line) => /^[-+](?![-+])/.test(line))).toEqual(["-line 20", "+a third"]);
  });

  it("a new file has all its lines once, however often it was written", () => {
    const made = "--- /dev/null\n+++ b/file\n@@ -0,0 +1,2 @@\n+one\n+two\n";
    const next = "--- a/file\n+++ b/file\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three\n";
    expect(netDiff([made, next])).toBe("--- /dev/null\n+++ b/file\n@@ -0,0 +1,3 @@\n+one\n+2\n+three\n");
  });

  it("a new file that was written anew as a whole is what was written last", () => {
    const made = (text: string) => `--- /dev/null\n+++ b/file\n@@ -0,0 +1,1 @@\n+${text}\n`;
    expect(netDiff([made("one"), made("two")])).toBe(made("two"));
    const edit = "--- a/file\n+++ b/file\n@@ -1,1 +1,1 @@\n-one\n+two\n";
    expect(netDiff([edit, made("two")])).toBeUndefined();
  });

  it("where somebody else changed the file in between there is no single one", () => {
    const one = "--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n";
    const other = "--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n-formatted\n+d\n c\n";
    expect(netDiff([one, other])).toBeUndefined();
  });
});
