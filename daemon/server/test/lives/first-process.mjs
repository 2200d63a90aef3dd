/**
 * Process 1 of a process namespace, as a container without an init has it: runs the command it is given and never waits for what
 * is left to it, so orphans that end stay zombies. Each line of its input kills the command with SIGKILL and runs it again.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
const run = () => spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

let child = run();
for await (const _ of createInterface({ input: process.stdin })) {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  child = run();
}
process.exit(0);
