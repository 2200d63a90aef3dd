/**
 * `npm test`: prepares the clone and runs the usual lanes. Arguments after `--` go to vitest; a filter chooses from all lanes.
 * `--lane <name>` runs only these, `--rest` what `npm test` leaves: see lanes.mjs.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needsOf } from "./lanes/needs.mjs";
import { whyReleaseIsDue } from "./lanes/release-due.mjs";
import { lanes, testFiles } from "./lanes.mjs";
import { prepare, root } from "./prepare.mjs";
import { closingLines } from "./test/closing-lines.mjs";
import { readArguments } from "./test/read-arguments.mjs";

const asked = readArguments(process.argv.slice(2));
prepare();
const folder = mkdtempSync(join(tmpdir(), "muster-test-"));
try {
  process.exitCode = runTests(asked);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runTests({ options, filters, ...which }) {
  const chosen = chosenLanes({ filters, ...which });
  if (chosen.length === 0) return 0;
  const projects = options.includes("--project") ? [] : chosen.flatMap((name) => ["--project", name]);
  const first = vitest({ args: [...options, ...projects, ...filters], files: filesOf({ chosen, filters }) });
  if (first.result === undefined) return first.code || 1;
  const failed = [...new Set(first.result.failures.flatMap(({ file }) => file ?? []))];
  // On a shared machine a real process may lose a race once. CI tries the whole file again, in a process and a state of its own.
  const mayTryAgain = Boolean(process.env.CI) && failed.length > 0 && failed.length <= 10;
  const paths = failed.map((file) => join(root, file));
  const second = mayTryAgain ? vitest({ args: [...options, ...projects, ...paths], files: failed }) : undefined;
  return finish(first.result, second?.result);
}

function chosenLanes({ filters, only, isRest }) {
  if (only.length > 0) return only;
  if (isRest) return restOfLanes();
  return lanes.filter(({ isUsual }) => isUsual || filters.length > 0).map(({ name }) => name);
}

function restOfLanes() {
  const why = whyReleaseIsDue();
  const told = why === undefined ? "not run, nothing that it covers has changed (MUSTER_CI=full runs it)" : why;
  process.stderr.write(`muster: the lane release: ${told}\n`);
  return lanes
    .filter(({ name, isUsual }) => !isUsual && (name !== "release" || why !== undefined))
    .map(({ name }) => name);
}

function filesOf({ chosen, filters }) {
  const files = testFiles().filter(({ lane }) => chosen.includes(lane));
  const isAsked = (file) => filters.length === 0 || filters.some((text) => join(root, file).includes(text));
  return files.flatMap(({ file }) => (isAsked(file) ? [file] : []));
}

/** One run of vitest; without a result where it could not even begin. */
function vitest({ args, files }) {
  const path = join(folder, "result.json");
  rmSync(path, { force: true });
  const reporters = ["progress", "result"].map((name) => `--reporter=./scripts/test/${name}-reporter.mjs`);
  const command = [join(root, "node_modules/vitest/vitest.mjs"), "run", ...reporters, ...args];
  const env = { ...process.env, MUSTER_TEST_RESULT: path, MUSTER_TEST_NEEDS: needsOf(files).join() };
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit", env });
  if (error) throw error;
  try {
    return { code: status ?? 1, result: JSON.parse(readFileSync(path, "utf8")) };
  } catch {
    // Such as wrong arguments: vitest has said what is wrong.
    return { code: status ?? 1, result: undefined };
  }
}

/** What failed twice has failed; what failed once is named, and counts as passed. MUSTER_TEST_COUNTS: where CI adds lanes up. */
function finish(first, second) {
  const failures = second?.failures ?? first.failures;
  const isSame = (one, other) => one.name === other.name && one.file === other.file;
  const again = second ? first.failures.filter((one) => !failures.some((other) => isSame(one, other))) : [];
  const counts = { passed: first.passed + again.length, failed: failures.length, skipped: first.skipped };
  process.stdout.write(`${closingLines({ ...first, failures, again, counts }).join("\n")}\n`);
  const path = process.env.MUSTER_TEST_COUNTS;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(counts)}\n`);
  return failures.length === 0 ? 0 : 1;
}
