/** The processes of this bench. */
import { spawn } from "node:child_process";
import { adopt } from "../../../bench/processes.mjs";

/** CODEBUFF_BENCH_PROFILE=<folder>: every child leaves its CPU profile there. */
const { CODEBUFF_BENCH_PROFILE: profiles, PATH } = process.env;
const profile = profiles ? ["--cpu-prof", `--cpu-prof-dir=${profiles}`] : [];

/** Resolves to the child and what the groups of the pattern found in its output. It ends with the run at the latest. */
export function startChild(args, { pattern, home, env = {} }) {
  const child = adopt(
    spawn(process.execPath, [...profile, ...args], {
      env: { PATH, HOME: home, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found) resolve([child, ...found.slice(1)]);
    });
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
}
