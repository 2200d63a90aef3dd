import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { outputError } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import { projectFixture } from "../project-fixture.ts";
import { editCorpus } from "./edit-corpus.ts";

test("every edit of the corpus is byte-equal or a clean refusal, never a wrong edit", async () => {
  const corpus = editCorpus();
  expect(corpus.length).toBeGreaterThanOrEqual(300);
  const { root, output } = await projectFixture();
  const faults: string[] = [];
  const made = new Map<string, { made: number; all: number }>();
  for (const [index, edit] of corpus.entries()) {
    const directory = path.join(root, String(index));
    const file = path.join(directory, "file.txt");
    mkdirSync(directory);
    writeFileSync(file, edit.before);
    const input = JSON.parse(JSON.stringify(edit.call.input).replace('"FILE"', JSON.stringify(`${index}/file.txt`)));
    const error = outputError(await output(edit.call.toolName, input));
    const now = readFileSync(file, "utf8");
    if (error === undefined && now !== edit.after) faults.push(`WRONG EDIT ${edit.name}`);
    if (error !== undefined && now !== edit.before) faults.push(`CHANGED THOUGH REFUSED ${edit.name}`);
    if (edit.expect === "made" && error !== undefined) faults.push(`REFUSED ${edit.name}: ${error.slice(0, 200)}`);
    if (edit.expect === "refused" && error === undefined) faults.push(`MADE ${edit.name}`);
    if (readdirSync(directory).length !== 1) faults.push(`LEFT SOMETHING BEHIND ${edit.name}`);
    const how = `${edit.name.split(":")[0]}: ${edit.name.split(", ").at(-1)}`;
    const count = made.get(how) ?? { made: 0, all: 0 };
    made.set(how, { made: count.made + (error === undefined ? 1 : 0), all: count.all + 1 });
  }
  expect(faults).toEqual([]);
  // Refusing everything would be safe and useless: what the ladder is for must be made most of the time.
  const share = (how: string) => (made.get(how)?.made ?? 0) / (made.get(how)?.all ?? 1);
  for (const how of [
    "str_replace: with blanks at line ends",
    "str_replace: with tabs for blanks",
    "str_replace: with blanks for tabs",
    "str_replace: four blanks deeper",
    "str_replace: without its common indentation",
    "str_replace: deeper in a CRLF file",
    "apply_patch (unified): four blanks deeper",
    "apply_patch (codex): four blanks deeper",
    "apply_patch (codex): as it stands",
    "apply_patch (unified): after lines were added above",
  ]) {
    expect.soft(share(how), how).toBeGreaterThan(0.7);
  }
});
