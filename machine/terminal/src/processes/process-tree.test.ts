import { type ChildProcess, spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { endTree, markFor, ownedProcesses, processIdentity } from "./process-tree.ts";

const variable = "TERMINAL_TEST_PROCESS";

function sleeper(mark: string): ChildProcess & { pid: number } {
  const child = spawn("sleep", ["300"], { env: { PATH: process.env.PATH, [variable]: mark }, detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.pid === undefined) throw new Error("sleep did not start");
  return Object.assign(child, { pid: child.pid });
}

describe("the processes of an owner", () => {
  test("a mark inside another program's mark is found by both, and a similar one by neither", async () => {
    const inner = sleeper(markFor({ variable, mark: "inner.1" }, { [variable]: "outer.1" }));
    const other = sleeper("outer.12");
    await Promise.all([inner, other].map((child) => new Promise((resolve) => child.once("spawn", resolve))));
    expect(ownedProcesses({ variable, mark: "outer.1" })).toEqual([inner.pid]);
    expect(ownedProcesses({ variable, mark: "inner.1" })).toEqual([inner.pid]);
    expect(ownedProcesses({ variable, mark: "inner." })).toEqual([inner.pid]);
    expect(ownedProcesses({ variable, mark: "outer." }).sort()).toEqual([inner.pid, other.pid].sort());
    expect(ownedProcesses({ variable, mark: "oute" })).toEqual([]);
    await endTree({ variable, mark: "outer." }, { graceMs: 1000 });
    expect([processIdentity(inner.pid), processIdentity(other.pid)]).toEqual([null, null]);
  });

  test("a root whose pid was given to another process owns nothing", () => {
    const child = sleeper("x.1");
    expect(ownedProcesses({ variable, mark: "none", roots: [{ pid: child.pid, startTime: "1" }] })).toEqual([]);
    const identity = processIdentity(child.pid);
    expect(identity && ownedProcesses({ variable, mark: "none", roots: [identity] })).toEqual([child.pid]);
  });
});
