import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ImportError, type Imported } from "./refusal.ts";
import { folderName, writeTask } from "./write-task.ts";

/** Some sets hold their lists of tests as text that is JSON, others as lists. */
const testNames = z.union([
  z.array(z.string()),
  z.string().transform((text, context) => {
    try {
      return z.array(z.string()).parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: "custom", message: "neither a list nor a list as JSON" });
      return z.NEVER;
    }
  }),
]);

const Row = z.looseObject({
  instance_id: z.string(),
  repo: z.string(),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/),
  problem_statement: z.string().min(1),
  patch: z.string(),
  test_patch: z.string(),
  FAIL_TO_PASS: testNames,
  PASS_TO_PASS: testNames,
  version: z.string().optional(),
});

/**
 * SWE-bench rows, one JSON object a line or one array. A row names no test command and no dependencies, so each says what is
 * missing. `repositories` is a folder of clones, `<owner>__<name>`; without it the task names the address.
 */
export async function importSweBench(file: string, into: string, repositories?: string): Promise<Imported[]> {
  const rows = readRows(await readFile(file, "utf8"), file);
  const imported: Imported[] = [];
  for (const [index, value] of rows.entries()) {
    const row = Row.safeParse(value);
    if (!row.success) throw new ImportError(`${file}: row ${index + 1}: ${z.prettifyError(row.error)}`);
    imported.push(await importRow(row.data, into, repositories));
  }
  return imported;
}

function readRows(text: string, file: string): unknown[] {
  try {
    if (text.trimStart().startsWith("[")) return z.array(z.unknown()).parse(JSON.parse(text));
    return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line)]));
  } catch (error) {
    throw new ImportError(`${file} holds no rows of JSON: ${(error as Error).message}`);
  }
}

async function importRow(row: z.infer<typeof Row>, into: string, repositories: string | undefined): Promise<Imported> {
  const id = folderName(row.instance_id);
  const folder = join(into, id);
  const repository =
    repositories === undefined ? `https://github.com/${row.repo}.git` : join(repositories, row.repo.replace("/", "__"));
  await writeTask(folder, {
    settings: { title: row.instance_id, tags: ["swe-bench"], start: { repository, commit: row.base_commit } },
    files: {
      "instruction.md": row.problem_statement,
      "solution/solve.sh": applyPatch("SOLUTION", row.patch),
      "tests/test.patch": row.test_patch,
      "tests/names.json": `${JSON.stringify({ failToPass: row.FAIL_TO_PASS, passToPass: row.PASS_TO_PASS }, null, 2)}\n`,
      "tests/check.sh": checkScript,
    },
  });
  const cannotRun = [
    "the row names no test command: write it into tests/run-tests.sh, which prints the names of the tests that pass",
    "the row names no dependencies: they must be installed, usually in a container of their own",
    ...(repositories === undefined ? [`${row.repo} must be cloned from the network`] : []),
  ];
  return { id, folder, cannotRun };
}

const applyPatch = (name: string, patch: string) =>
  `git apply --whitespace=nowarn <<'${name}'\n${patch.trimEnd()}\n${name}\n`;

/** The part of the named tests that pass; all of them is 1. */
const checkScript = `cp -r "$WORK" tree && cd tree && git apply --whitespace=nowarn ../test.patch || fail "the tests cannot be added"
[ -f ../run-tests.sh ] || fail "tests/run-tests.sh is missing: a SWE-bench row does not say how its tests are run"
cp ../run-tests.sh . && cp -r . "$WORK/" && "$TRY" 'bash run-tests.sh' > ../passed.txt
cd .. && node -e '
const { failToPass, passToPass } = require("./names.json");
const passed = new Set(require("fs").readFileSync("passed.txt", "utf8").split("\\n").map((name) => name.trim()));
const all = [...failToPass, ...passToPass];
const failed = all.filter((name) => !passed.has(name));
require("fs").writeFileSync(process.env.REWARD, String(all.length === 0 ? 0 : 1 - failed.length / all.length));
if (failed.length > 0) { console.error("not passed: " + failed.join(", ")); process.exit(1); }'
`;
