import { spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { childEnd } from "./child-end.ts";

describe("the end of a child", () => {
  test("comes after its output, also when this program was busy at that moment", async () => {
    const child = spawn("bash", ["-c", "head -c 60000 /dev/zero; exit 3"]);
    let size = 0;
    child.stdout.on("data", (bytes: Buffer) => {
      size += bytes.length;
    });
    const end = childEnd(child);
    child.once("exit", () => {
      const busyUntil = Date.now() + 400;
      while (Date.now() < busyUntil);
    });
    expect([await end, size]).toEqual([3, 60_000]);
  });

  test("does not wait for a process that was left behind with the pipe", async () => {
    const child = spawn("bash", ["-c", "sleep 300 & echo $!; kill -9 $$"]);
    let output = "";
    child.stdout.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
    onTestFinished(() => void process.kill(Number(output), "SIGKILL"));
    expect(await childEnd(child)).toBe(137);
    expect(output).toMatch(/^\d+\n$/);
  });

  test("of one that cannot be started is 127", async () => {
    expect(await childEnd(spawn("no-such-program"))).toBe(127);
  });
});
