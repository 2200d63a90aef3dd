/** `npm test`: prepares the clone and runs every test; arguments after `--` go to vitest. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

prepare();
const folder = mkdtempSync(join(tmpdir(), "muster-test-"));
try {
  process.exitCode = runTests(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runTests(args) {
  const first = vitest(args);
  if (first.result === undefined) return first.code || 1;
  const failed = [...new Set(first.result.failures.flatMap(({ file }) => file ?? []))];
  // On a shared machine a real process may lose a race once. CI tries the whole file again, in a process and a state of its own.
  const mayTryAgain = process.env.CI !== undefined && failed.length > 0 && failed.length <= 10;
  const second = mayTryAgain ? vitest([...args, ...failed]) : undefined;
  const failures = second?.result === undefined ? first.result.failures : second.result.failures;
  printEnd(first.result, { failures, isSecond: second?.result !== undefined });
  return failures.length === 0 ? 0 : 1;
}

/** One run of vitest; without a result where it could not even begin. */
function vitest(args) {
  const path = join(folder, "result.json");
  rmSync(path, { force: true });
  const reporters = ["--reporter=default", "--reporter=./scripts/result-reporter.mjs"];
  const command = [join(root, "node_modules/vitest/vitest.mjs"), "run", ...reporters, ...args];
  const env = { ...process.env, MUSTER_TEST_RESULT: path };
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit", env });
  if (error) throw error;
  try {
    return { code: status ?? 1, result: JSON.parse(readFileSync(path, "utf8")) };
  } catch {
    // Such as wrong arguments: vitest has said what is wrong.
    return { code: status ?? 1, result: undefined };
  }
}

/** Plain lines that any reader of a log understands: where the time went, what was skipped and why, second tries, the counts. */
function printEnd({ passed, skipped, skips, files, failures: first }, { failures, isSecond }) {
  const lines = ["", ...slowest(files), ...sums(files)];
  for (const { file, name, why } of skips) lines.push(`skipped, ${why}: ${file} > ${name}`);
  const again = isSecond
    ? first.filter((one) => !failures.some(({ name, file }) => name === one.name && file === one.file))
    : [];
  for (const { file, name, why } of again) lines.push(`passed only at the second try (${why}): ${file} > ${name}`);
  if (again.length > 0) lines.push(`${again.length} second tries: each is a defect of this repository`);
  for (const { file, name, why } of failures) lines.push(`failed (${why}): ${file ?? ""} > ${name}`);
  const left = skipped > 0 ? `, ${skipped} skipped` : "";
  lines.push(`${passed + again.length} passed, ${failures.length} failed${left}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function slowest(files) {
  const slow = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  return slow.map(({ file, ms }) => `${seconds(ms)}  ${file}`);
}

function sums(files) {
  const byPackage = new Map();
  for (const { file, ms } of files) {
    const name = file
      .split("/")
      .slice(0, file.startsWith("test/") ? 1 : 2)
      .join("/");
    byPackage.set(name, (byPackage.get(name) ?? 0) + ms);
  }
  const rows = [...byPackage].sort(([, a], [, b]) => b - a);
  return [`by package: ${rows.map(([name, ms]) => `${name} ${seconds(ms).trim()}`).join(", ")}`];
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}
