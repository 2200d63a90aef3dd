import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@muster/codebuff-workspace";
import { detectSandbox } from "@muster/confinement";
import { expect, it } from "vitest";
import { Warnings } from "../src/setup/warnings.ts";
import { tellMissingWalls } from "../src/setup/watch-walls.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

const sandbox = await detectSandbox();
const command = (text: string) => ({ text: "Now.", tools: [call("run_terminal_command", { command: text })] });

it("what a sandboxed command writes into the repository does not run at the next prompt", async (context) => {
  if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
  const evil = `printf '[diff "e"]\\n\\ttextconv = touch ../RAN; cat\\n' >>.git/config; echo '*.txt diff=e' >.gitattributes`;
  const world = await runWorld([command(`${evil}; echo two >a.txt; ls -a`), { text: "one" }, { text: "two" }], {
    files: { "a.txt": "one\n" },
    options: { permissions: "sandboxed" },
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: world.cwd, encoding: "utf8" });
  git("init", "--quiet", "-b", "main");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
  const first = await world.run();
  expect(resultOf(world.events, "run_terminal_command")).toMatchObject({
    stdout: expect.stringContaining("Read-only file system"),
  });
  expect(git("config", "--list")).not.toContain("textconv");
  // As if it had got in: the next prompt tells the changes and runs nothing.
  git("config", "diff.e.textconv", "touch ../RAN; cat");
  await world.run({ previousRun: first });
  expect(world.llm.requests()).toHaveLength(3);
  expect(existsSync(join(world.cwd, "..", "RAN"))).toBe(false);
  git("diff");
  expect(existsSync(join(world.cwd, "..", "RAN"))).toBe(true);
});

it("a run names what it changed that other programs will run, before it is over", async () => {
  const write = (path: string, content: string) => call("write_file", { path, instructions: "x", content });
  const world = await runWorld(
    [
      {
        text: "Now.",
        tools: [write(".vscode/tasks.json", "{}"), write("a.txt", "x"), write("package.json", '{"scripts":{"a":"b"}}')],
      },
      { text: "done" },
    ],
    { files: { "package.json": '{"scripts":{}}' } },
  );
  await world.run();
  const warning = world.events.find((event) => event.type === "error" && event.code === "later_programs");
  expect(warning).toMatchObject({
    message: expect.stringMatching(/: \.vscode\/tasks\.json, package\.json$/),
    fatal: false,
  });
  expect(world.events.at(-1)?.type).toBe("finish");
});

it("says once which walls this machine does not have, and only where commands are confined", async (context) => {
  if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
  const world = await runWorld([{ text: "a" }, { text: "b" }, { text: "c" }]);
  await world.run();
  const told = () => world.events.filter((event) => event.type === "error" && event.code === "confinement").length;
  expect(told()).toBe(0);
  await world.run({ permissions: "sandboxed" });
  await world.run({ permissions: "sandboxed" });
  const hasWaysOut = !sandbox.walls.includes("sockets") || !sandbox.walls.includes("pipes");
  expect(told()).toBe(hasWaysOut ? 1 : 0);
  const warnings = new Warnings(undefined);
  const without = { confinement: "kernel", walls: ["writes", "network", "sight"] } as unknown as Workspace;
  tellMissingWalls(without, warnings);
  tellMissingWalls(without, warnings);
  expect(warnings.take()).toMatchObject([{ message: expect.stringContaining("sockets, pipes") }]);
});
