import { execFile, execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, it } from "vitest";

const run = promisify(execFile);
const cwd = fileURLToPath(new URL("../python", import.meta.url));
const missing = whyNotPython();
if (missing !== undefined) process.stderr.write(`The tests of the Python SDK are left out: ${missing}\n`);

// One by one, so that a failure names its file; `python3 -m unittest` in python/ runs them all.
describe.skipIf(missing !== undefined)("the Python SDK", { timeout: 600_000 }, () => {
  const files = readdirSync(`${cwd}/tests`).filter((name) => /^test_.*\.py$/.test(name));
  it.each(files)("%s", async (file) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    await run("python3", ["-X", "dev", "-m", "unittest", `tests.${file.replace(".py", "")}`], { cwd, env });
  });
});

function whyNotPython(): string | undefined {
  const asked = "import sys; print(sys.version_info >= (3, 9))";
  try {
    const isNewEnough = execFileSync("python3", ["-c", asked], { encoding: "utf8" }).trim() === "True";
    return isNewEnough ? undefined : "python3 is older than 3.9";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
