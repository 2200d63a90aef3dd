/** The processes of a bench; every one of them ends with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** CODEBUFF_BENCH_PROFILE=<folder>: every child leaves its CPU profile there. */
const { CODEBUFF_BENCH_PROFILE: profiles, PATH } = process.env;
const profile = profiles ? ["--cpu-prof", `--cpu-prof-dir=${profiles}`] : [];
const patienceMs = 15_000;

export class Children {
  #home;
  #running = new Set();

  constructor(home) {
    this.#home = home;
  }

  /** Resolves to the child and what the groups of the pattern found in its output. */
  async start(args, pattern, env = {}) {
    const child = spawn(process.execPath, [...profile, ...args], {
      env: { PATH, HOME: this.#home, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#running.add(child);
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

  async end(child) {
    this.#running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const impatient = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    await exited;
    clearTimeout(impatient);
  }

  async stop() {
    await Promise.all([...this.#running].map((child) => this.end(child)));
  }
}
