import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { detectSandbox } from "@muster/confinement";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Terminal } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";

const sandbox = await detectSandbox();
const inSandbox = test.runIf(sandbox !== undefined);

/** A project that is not below /tmp, where everything would be the command's own. */
async function place(options: Partial<RunOptions> & { confinement?: "table" }, files: Record<string, string> = {}) {
  const around = realpathSync(mkdtempSync(path.join(homedir(), ".way-out-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const root = path.join(around, "project");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: around };
  const terminal = new Terminal({ root, environment, stateDirectory: path.join(around, "terminals") });
  onTestFinished(() => terminal.close());
  const fixture = await projectFixture({}, { terminal, home: around, ...options, root });
  return { ...fixture, around, root, out: path.join(around, "OUT") };
}

type Told = { stdout?: string; errorMessage?: string; exitCode?: number };

const hook = { name: "check", command: "sh check.sh", enabled: true } as const;
const check = { "check.sh": "touch ../OUT; echo checked\n" };

inSandbox(
  "sandboxed: a hook that was accepted runs in the sandbox, since the agent may have written what it runs",
  async () => {
    const { out, value } = await place({ permissions: "sandboxed", hooks: [hook] }, check);
    const [told] = await value<[Told]>("run_file_change_hooks", { files: ["a.ts"] });
    expect(told).toMatchObject({
      command: "sh check.sh",
      hookName: "check",
      stdout: expect.stringContaining("checked"),
    });
    expect(existsSync(out)).toBe(false);
  },
);

test("a hook that was accepted runs as it is written where nothing is confined, and not at all without a sandbox", async () => {
  const open = await place({ permissions: "ask", hooks: [hook] }, check);
  expect(await open.value("run_file_change_hooks", { files: ["a.ts"] })).toMatchObject([{ exitCode: 0 }]);
  expect(existsSync(open.out)).toBe(true);
  const table = await place({ permissions: "sandboxed", hooks: [hook], confinement: "table" }, check);
  expect(await table.value("run_file_change_hooks", { files: ["a.ts"] })).toMatchObject([
    { errorMessage: expect.stringContaining("no sandbox") },
  ]);
  expect(existsSync(table.out)).toBe(false);
});

inSandbox("sandboxed: a function that the session has learned before runs nothing", async () => {
  const { out, value, hands } = await place({ permissions: "allow" }, check);
  const run = (command: string, more = {}) => value<Told>("run_terminal_command", { command, ...more });
  await run('builtin() { command touch ../OUT; command builtin "$@"; }; ls() { touch ../OUT; }');
  await run(": here it runs");
  expect(existsSync(out)).toBe(true);
  rmSync(out);
  hands.gate.switchTo({ permissions: "sandboxed" });
  expect(await run("ls; echo done >made; echo $?")).toMatchObject({ stdout: expect.stringMatching(/check\.sh\n0\n$/) });
  expect(await run("ls", { session_id: "other" })).toMatchObject({ exitCode: 0 });
  expect(existsSync(out)).toBe(false);
  hands.gate.switchTo({ permissions: "allow" });
  await run("ls");
  expect(existsSync(out)).toBe(true);
});

inSandbox("a session in which everything was confined stays the same one", async () => {
  const { value } = await place({ permissions: "sandboxed" }, { "src/a.ts": "" });
  await value("run_terminal_command", { command: "ls" });
  expect(await value("read_screen", {})).toMatchObject({ sessionId: "main" });
});

const evil = "[core]\n\tfsmonitor = touch OUT\n";
/** Files that the person's git or this program reads outside of every sandbox. */
const steering = [
  ".git/config",
  ".git/hooks/pre-commit",
  ".git/commondir",
  ".git/info/attributes",
  ".git",
  ".GIT/config",
  "src/.git/config",
  "src/../.git/config",
  "link/config",
  "vendor/lib/.git",
];
const tools = [
  ["write_file", (file: string) => ({ path: file, instructions: "x", content: evil })],
  [
    "apply_patch",
    (file: string) => ({ operation: { type: "create_file", path: file, diff: evil.replaceAll(/^(?=.)/gm, "+") } }),
  ],
] as const;

test.each(tools.flatMap(([tool, input]) => steering.map((file) => [tool, file, input(file)] as const)))(
  "%s leaves %s as it is, in every mode that does not ask",
  async (tool, _file, input) => {
    for (const permissions of ["sandboxed", "unattended", "deny"] as const) {
      const { root, output } = await place({ permissions }, { ".git/HEAD": "ref: refs/heads/main\n", "src/a": "" });
      symlinkSync(".git", path.join(root, "link"));
      const told = JSON.stringify(await output(tool, input));
      expect(told).toMatch(/Denied by policy|is not for tools/);
      expect(spawnSync("grep", ["-rc", "fsmonitor", root], { encoding: "utf8" }).stdout).not.toMatch(/:[1-9]/);
    }
  },
);

test("the person is asked for it where somebody can be asked, and a rule may open it", async () => {
  const asked: string[] = [];
  const ask = async ({ reason = "" }) => {
    asked.push(reason);
    return { decision: "once" } as const;
  };
  const files = { ".git/HEAD": "ref: refs/heads/main\n" };
  const asking = await place({ permissions: "accept-edits", ask }, files);
  const input = { path: ".git/info/exclude", instructions: "x", content: "dist\n" };
  await asking.output("write_file", input);
  expect(asked).toEqual([expect.stringContaining("what git or this program does")]);
  expect(readFileSync(path.join(asking.root, input.path), "utf8")).toBe("dist\n");
  const rules = [{ effect: "allow", action: "edit", path: ".git/info/exclude" }] as const;
  const ruled = await place({ permissions: "sandboxed", rules }, files);
  await ruled.output("write_file", input);
  expect(readFileSync(path.join(ruled.root, input.path), "utf8")).toBe("dist\n");
});

test.each([".codebuff/config.json", ".codebuff/trust.json", ".agents/evil.ts", ".claude/skills/x/SKILL.md"])(
  "in the home directory as a project no tool writes %s",
  async (file) => {
    const around = realpathSync(mkdtempSync(path.join(homedir(), ".way-out-")));
    onTestFinished(() => rmSync(around, { recursive: true, force: true }));
    const { output } = await projectFixture({}, { root: around, home: around, permissions: "sandboxed" });
    const told = await output("write_file", { path: file, instructions: "x", content: "{}" });
    expect(JSON.stringify(told)).toContain("Denied by policy");
    expect(existsSync(path.join(around, file))).toBe(false);
  },
);
