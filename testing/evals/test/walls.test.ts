import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { spawn } from "@muster/client/node";
import { expect, test } from "vitest";
import { visibleWithout } from "../src/walls/visible-without.ts";
import { findWalls, writeConfinedProgram } from "../src/walls/walls.ts";
import { daemonProgram, makeFolder } from "./eval-world.ts";

const walls = await findWalls();
const confinedTest = test.runIf(walls !== undefined);
if (walls === undefined) process.stderr.write("skipped: this kernel offers no walls\n");

test("a folder is shown without one that is hidden in it", async () => {
  const top = await makeFolder();
  for (const path of ["a/b/hidden/x", "a/b/shown", "a/other", "z"]) await mkdir(join(top, path), { recursive: true });
  const shown = visibleWithout(top, join(top, "a/b/hidden")).map((path) => path.slice(top.length + 1));
  expect(shown.sort()).toEqual(["a/b/shown", "a/other", "z"]);
  expect(visibleWithout(top, "/elsewhere")).toEqual([top]);
  expect(visibleWithout(top, top)).toEqual([]);
});

confinedTest("a confined program gets its arguments and its input as they were given", async () => {
  const folder = await makeFolder();
  const program = join(folder, "program");
  const confined = { root: folder, network: "denied", visible: [] } as const;
  await writeConfinedProgram(program, ["/bin/sh", "-c", 'printf "<%s>" "$@"; cat', 'it\'s "$HOME" `x`'], {
    walls,
    confined,
  });
  const words = ["", "two words", "a\nline", 'it\'s $HOME `x` "y" \\'];
  const running = promisify(execFile)(program, words);
  running.child.stdin?.end("what comes in");
  expect((await running).stdout).toBe(`${words.map((word) => `<${word}>`).join("")}what comes in`);
});

confinedTest("a confined program has terminals of its own, whose /dev/tty is theirs", async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, "spawn.py"), 'import pty\npty.spawn(["/bin/sh", "-c", "echo written >/dev/tty"])\n');
  const program = join(folder, "program");
  const confined = { root: folder, network: "denied", visible: [] } as const;
  await writeConfinedProgram(program, ["python3", "spawn.py"], { walls, confined });
  expect((await promisify(execFile)(program)).stdout).toContain("written");
});

confinedTest(
  "a daemon behind walls that refuse sockets holds its data directory, but none that another daemon holds",
  async () => {
    const folder = await makeFolder();
    const data = join(folder, "data");
    const program = join(folder, "program");
    const repository = fileURLToPath(new URL("../../..", import.meta.url));
    const confined = { root: folder, network: "allowed", visible: [repository] } as const;
    await writeConfinedProgram(program, [process.execPath, daemonProgram], { walls, confined });
    const walled = { command: [program], dataDirectory: data } as const;
    const plain = { command: [process.execPath, daemonProgram], dataDirectory: data } as const;

    const first = await spawn(walled);
    expect(await first.client.health({})).toMatchObject({ status: "ok" });
    await first.close();
    const second = await spawn(plain);
    await expect(spawn(walled)).rejects.toThrow(/did not start/);
    expect(await second.client.health({})).toMatchObject({ status: "ok" });
    await second.close();
  },
);
