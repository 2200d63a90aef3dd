import { expect, it } from "vitest";

// Not imported: whoever imports them is of another lane.
const { spawn, execFileSync } = process.getBuiltinModule("node:child_process");
const { createServer } = process.getBuiltinModule("node:net");

it("a test of the lane unit starts no process and opens no port", () => {
  expect(() => spawn("true")).toThrow("A test of the lane unit started a process");
  expect(() => execFileSync("true")).toThrow("A test of the lane unit started a process");
  expect(() => createServer().listen(0)).toThrow("A test of the lane unit opened a port");
});
