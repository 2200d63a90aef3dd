import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { quoteForShell, trySandbox } from "../src/index.ts";

const wish = { writes: "project", network: "denied" } as const;

test.for(["namespaces", "bubblewrap"] as const)("%s: a command writes only where it may", async (by, context) => {
  const sandbox = await trySandbox(by);
  if (sandbox === undefined) return context.skip(`there are no ${by} here`);
  const around = realpathSync(mkdtempSync(join(tmpdir(), "confinement-test-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const root = join(around, "it's a project");
  mkdirSync(root);
  const run = (command: string, writes: "project" | "nothing" = "project") =>
    spawnSync("bash", ["-c", sandbox.wrap(command, { ...wish, root, writes })], { cwd: root, encoding: "utf8" });

  expect(run("echo yes >inside && cat inside && exit 7")).toMatchObject({ stdout: "yes\n", status: 7 });
  run(`echo no >${quoteForShell(join(around, "outside"))}`);
  expect(existsSync(join(around, "outside"))).toBe(false);
  expect(run("echo no >another", "nothing").status).not.toBe(0);
  expect(readdirSync(root)).toEqual(["inside"]);
  expect(run("tail -n +3 /proc/net/dev | grep -vc lo:").stdout).toBe("0\n");
});

test("quoteForShell makes one word of any text", () => {
  const text = 'it\'s $HOME `x`\n"y" \\';
  expect(spawnSync("bash", ["-c", `printf %s ${quoteForShell(text)}`], { encoding: "utf8" }).stdout).toBe(text);
});
