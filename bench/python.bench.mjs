/** The SDK for Python, measured by a program of its own language: python/bench/overhead.py. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function run({ report, rounds, scale, say }) {
  const command = [process.execPath, `${root}daemon/cli/bin/sandbox-daemon.cjs`];
  const args = ["python/bench/overhead.py", JSON.stringify(command), String(scale(20_000)), String(rounds(7))];
  const env = { ...process.env, PYTHONPATH: `${root}python` };
  const { stdout } = await promisify(execFile)("python3", args, { cwd: root, env }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    say("left out: there is no python3");
    return { stdout: "" };
  });
  for (const line of stdout.split("\n").filter(Boolean)) report(JSON.parse(line));
}
