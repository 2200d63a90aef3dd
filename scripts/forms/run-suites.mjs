/** The tests that see the daemon from outside only, with the program that is given to them. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../prepare.mjs";

const execute = promisify(execFile);

/** The conformance suite, a burst, kills, bad input. */
const first = ["api/daemon-api", "api/burst", "lives/sigkill", "attacks/bad-input"];

/**
 * The others that need nothing of the machine but the daemon: no agent that is a program for Node, no `prlimit`, and no option
 * of Node's own (those of secrets, install and broken-agents put words into the mouth of an agent that way).
 */
const others = [
  ...["agents/mock-capabilities", "agents/shared-server", "agents/unsupported-options"],
  ...["api/as-agent", "api/first-sessions", "api/page", "api/turn-start", "api/ui"],
  ...["attacks/attack-matrix", "attacks/hostile-agents", "attacks/slow-clients"],
  ...["lives/restart", "lives/shutdown", "lives/standstill", "lives/start-races"],
  ...["storage/data-directory", "storage/full-disk-moments", "storage/odd-files", "storage/removed-files"],
  "storage/storage-faults",
];

/** `isShort`: only the first, with a fifth of the kills. Resolves with the counts and with every test that failed; `report` is written. */
export async function runSuites({ program, path, report, isShort = false, workers = 2 }) {
  const suites = isShort ? first : [...first, ...others];
  const files = suites.map((name) => `daemon/server/test/${name}.test.ts`);
  const args = ["run", `--maxWorkers=${workers}`, "--reporter=json", `--outputFile=${report}`, ...files];
  const env = {
    ...process.env,
    MUSTER_TEST_DAEMON: program,
    MUSTER_TEST_PATH: path,
    ...(isShort ? { MUSTER_TEST_KILLS: "12" } : {}),
  };
  const started = performance.now();
  // A failure is told by the report.
  const { stdout, stderr } = await execute(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: root,
    env,
    maxBuffer: 64 << 20,
  }).catch((error) => error);
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`The tests did not run:\n${stdout}${stderr}`);
  const { numPassedTests, numFailedTests, success, testResults } = JSON.parse(text);
  return {
    isFine: success,
    passed: numPassedTests,
    failed: numFailedTests,
    seconds: (performance.now() - started) / 1000,
    failures: testResults.flatMap(failuresOf),
  };
}

/** A file that could not be loaded has no tests that failed. */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((result) => result.status === "failed");
  if (failed.length === 0) return status === "failed" ? [`${name}: ${message}`] : [];
  return failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join("\n")}`);
}
