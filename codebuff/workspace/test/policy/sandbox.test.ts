import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { detectSandbox } from "@muster/confinement";
import { quoteForShell } from "@muster/core";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Terminal } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";
import { uniqueSeconds } from "../terminal/terminal-fixture.ts";

const sandbox = await detectSandbox();
/** Where the kernel offers no sandbox there is none to test; the table is tested elsewhere. */
const inSandbox = (title: string, body: () => Promise<void>) =>
  test(title, (context) => (sandbox === undefined ? context.skip("the kernel offers no sandbox here") : body()));

async function confined(options: Partial<RunOptions> & { confinement?: "table" }) {
  const state = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-sandbox-")));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const root = path.join(state, "it's a proj");
  mkdirSync(path.join(root, "src"), { recursive: true });
  mkdirSync(path.join(state, ".ssh"));
  writeFileSync(path.join(root, "a.txt"), "alpha\n");
  const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: state };
  const terminal = new Terminal({ root, environment, stateDirectory: path.join(state, "terminals") });
  onTestFinished(() => terminal.close());
  const { value, workspace, hands } = await projectFixture({}, { terminal, ...options, root });
  const run = (command: string, more: Record<string, unknown> = {}) =>
    value<{ stdout?: string; exitCode?: number; errorMessage?: string; command?: string }>("run_terminal_command", {
      command,
      ...more,
    });
  return { state, root, run, workspace, hands };
}

test("the workspace says what confines commands, and the note for the model says it too", async () => {
  const { workspace, hands } = await confined({ writes: "denied" });
  expect(workspace.confinement).toBe(sandbox === undefined ? "table" : "kernel");
  expect(hands.gate.terminalNote).toContain(sandbox === undefined ? "known to be read-only" : "Read-only file system");
  hands.gate.switchTo({ writes: "allowed" });
  expect(hands.gate.terminalNote).toBe("");
  hands.gate.switchTo({ permissions: "sandboxed" });
  expect(hands.gate.terminalNote).toContain(
    sandbox === undefined ? "known to be read-only" : "inside the project only",
  );
});

inSandbox("PLAN runs any command where it cannot write", async () => {
  const { root, run } = await confined({ writes: "denied" });
  expect(await run("cat a.txt && touch b.txt; echo $?")).toMatchObject({
    command: "cat a.txt && touch b.txt; echo $?",
    stdout: expect.stringMatching(/alpha\n.*Read-only file system\n1/s),
  });
  expect(await run(`node -e "require('fs').writeFileSync('a.txt', 'x')"`)).toMatchObject({ exitCode: 1 });
  expect(await run("echo x >/tmp/private && cat /tmp/private")).toMatchObject({ errorMessage: expect.any(String) });
  expect(await run("cd /tmp && node -e \"require('fs').writeFileSync('y', 'z')\" && cat y")).toMatchObject({
    stdout: "z",
  });
  expect(existsSync(path.join(tmpdir(), "y"))).toBe(false);
  expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("alpha\n");
});

inSandbox("a PLAN command keeps its exit code, and cd stays in the session", async () => {
  const { root, run } = await confined({ writes: "denied" });
  expect(await run("node -e 'process.exit(7)'")).toMatchObject({ exitCode: 7 });
  expect(await run("cd src && pwd")).toMatchObject({ stdout: `${root}/src\n` });
  expect(await run("pwd")).toMatchObject({ stdout: `${root}/src\n` });
});

inSandbox("a sandboxed command writes in the project and nowhere else", async () => {
  const { state, root, run } = await confined({ permissions: "sandboxed" });
  const script =
    "const fs = require('fs'); for (const p of process.argv.slice(1)) try { fs.writeFileSync(p, 'x'); console.log('yes'); } catch (e) { console.log(e.code); }";
  const result = await run(`node -e "${script}" new.txt ../sibling.txt ${state}/other.txt`);
  expect(result.stdout).toMatch(/^yes\n(?:EROFS|ENOENT|yes)\n/);
  expect(readFileSync(path.join(root, "new.txt"), "utf8")).toBe("x");
  expect(existsSync(path.join(state, "sibling.txt"))).toBe(false);
  expect(existsSync(path.join(state, "other.txt"))).toBe(false);
  expect(await run("ls ~/.ssh; grep CapEff /proc/self/status")).toMatchObject({
    stdout: expect.stringContaining("0000000000000000"),
  });
});

inSandbox("a sandboxed command has a network only by choice", async () => {
  const server = createServer((_, response) => response.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fetching = `node -e "fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, () => console.log('none'))"`;
  expect(await (await confined({ permissions: "sandboxed" })).run(fetching)).toMatchObject({ stdout: "none\n" });
  const open = await confined({ permissions: "sandboxed", network: "allowed" });
  expect(await open.run(fetching)).toMatchObject({ stdout: "hello\n" });
});

inSandbox("a command in the sandbox ends at its limit with everything it started", async () => {
  const { run } = await confined({ writes: "denied" });
  const seconds = uniqueSeconds();
  const started = await run(`sleep ${seconds} & sleep ${seconds}; echo late`, { timeout_seconds: 1 });
  expect(started).toMatchObject({ exitCode: 124 });
  const other = await confined({ permissions: "allow" });
  expect((await other.run(`ps -eo args | grep -c '[s]leep ${seconds}'`)).stdout).toBe("0\n");
});

test.each(["table", "kernel"] as const)(
  "what a session has learned before PLAN does not change what PLAN runs: %s",
  async (confinement) => {
    if (confinement === "kernel" && sandbox === undefined) return;
    const { root, run, hands } = await confined({
      permissions: "allow",
      ...(confinement === "table" ? { confinement } : {}),
    });
    const betray = "{ builtin echo betrayed >> betrayed.txt; }";
    const names = ["ls", "cat", "git", "env", "/usr/bin/env", "/bin/bash", "exec", "set", "unshare", "mount", "cd"];
    writeFileSync(path.join(root, "fake.sh"), "#!/bin/sh\necho betrayed >> betrayed.txt\n", { mode: 0o755 });
    const fakes = ["env", "ls", "unshare", "mount", "setpriv", "bwrap", "sh"].map((name) => `cp fake.sh bin/${name}`);
    await run(`mkdir bin && ${fakes.join(" && ")}`);
    await run(`${names.map((name) => `function ${name} ${betray}`).join("; ")}; export -f ls mount 2>/dev/null`);
    await run("shopt -s expand_aliases; alias exec='echo betrayed >> betrayed.txt;'; export PATH=$PWD/bin:$PATH");
    await run("ls");
    expect(readFileSync(path.join(root, "betrayed.txt"), "utf8")).toBe("betrayed\n");
    const tell = `command echo betrayed >> ${quoteForShell(path.join(root, "betrayed.txt"))}`;
    await run(`builtin() { ${tell}; command builtin "$@"; }; set -T; trap ${quoteForShell(tell)} DEBUG`);
    await run(": the trap runs before this");
    expect(readFileSync(path.join(root, "betrayed.txt"), "utf8")).toMatch(/^(?:betrayed\n){2,}$/);
    rmSync(path.join(root, "betrayed.txt"));
    hands.gate.switchTo({ writes: "denied" });
    const listing = confinement === "table" ? expect.stringContaining("fake.sh") : expect.any(String);
    expect(await run("ls")).toMatchObject({ stdout: listing });
    expect(await run("cd src && pwd")).toMatchObject({ stdout: `${root}/src\n`, exitCode: 0 });
    expect(existsSync(path.join(root, "betrayed.txt"))).toBe(false);
    expect(existsSync(path.join(root, "src", "betrayed.txt"))).toBe(false);
  },
);

test("without a sandbox `sandboxed` runs only what is known to be read-only", async () => {
  const { hands } = await projectFixture({}, { permissions: "sandboxed", confinement: "table" });
  expect(await hands.gate.command("git log")).toMatchObject({ ok: true });
  expect(await hands.gate.command("npm test")).toMatchObject({
    ok: false,
    message: expect.stringContaining("no sandbox"),
  });
});
