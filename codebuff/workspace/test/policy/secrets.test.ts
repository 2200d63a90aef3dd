import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { detectSandbox } from "@muster/confinement";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type RunOptions, Terminal } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";

const sandbox = await detectSandbox();
afterEach(() => vi.unstubAllEnvs());

const key = "s3cr3t-value-of-the-project";
const files = {
  ".env": `export API_TOKEN="${key}"\nDATABASE_URL=postgres://u:PASSW0RD@h/d\n`,
  "certs/server.pem": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
  "src/a.ts": "export const KEY = 1;\n",
  ".envrc.md": "notes\n",
};

async function place(options: Partial<RunOptions> & { confinement?: "table" } = {}) {
  const state = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-secrets-")));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const fixture = await projectFixture(files, options);
  const terminal = new Terminal({ root: fixture.root, stateDirectory: path.join(state, "terminals") });
  onTestFinished(() => terminal.close());
  const hands = fixture.workspace.beginRun({ runId: "run-2", ...options, terminal });
  onTestFinished(() => hands.end());
  const run = async (command: string) =>
    JSON.stringify(await fixture.output("run_terminal_command", { command }, hands));
  return { ...fixture, hands, run };
}

/** Each of them shows the content of `.env`, which none of them names. */
const sweeping = [
  "grep -r KEY .",
  "grep -rn TOKEN",
  "grep -R --color=never TOKEN ./",
  "egrep -rI 'TOKEN|PASS' .",
  "git grep --no-index TOKEN",
  "rg --hidden TOKEN",
  "rg -uuu TOKEN",
  "rg --no-ignore --hidden -n TOKEN .",
  "find . -name '.e*' -print0 | xargs -0 cat",
  "find . -type f | xargs grep TOKEN",
  "find . -type f -exec cat {} +",
  "find . -maxdepth 1 -name '.e*' -exec head -5 {} \\;",
  "ls -A | xargs cat",
  "ls -a | xargs -n1 head",
  "for f in .e*; do cat $f; done",
  'for f in .en*; do cat < "$f"; done',
  "cat < .en*",
  "cat .en*",
  "tac .env | tac",
  "base64 .env",
  "cat /proc/self/environ",
  "cat /proc/1/environ | tr '\\0' '\\n'",
  "ps eww",
  "ps auxe",
  "ps e -o pid,args",
];

/** The same programs where they show no secret file. */
const harmless = [
  "grep -r KEY src",
  "grep -rn KEY --include='*.ts' .",
  "grep -r KEY --exclude='.env*' --exclude-dir=certs .",
  "git grep KEY",
  "rg KEY",
  "rg --hidden KEY src",
  "rg --hidden -g '!.env' -g '!*.pem' KEY",
  "rg -n KEY -t ts",
  "find . -name '*.ts' | xargs cat",
  "find src -type f -exec cat {} +",
  "find . -type f -not -name '.env' -not -name '*.pem' | xargs cat",
  "find . -name '.e*'",
  "ls -A",
  "ls -A | wc -l",
  "find . -type f | xargs wc -l",
  "git ls-files | xargs cat",
  "for f in src/*; do cat $f; done",
  "for f in .e*; do echo found; done",
  "cat < src/a.ts",
  "ps aux",
  "ps -ef",
  "ps -eo pid,args",
];

describe("without a sandbox", () => {
  test.each(sweeping)("%s is not run without a question", async (command) => {
    for (const permissions of ["default", "ask", "unattended", "deny", "allow"] as const) {
      const { hands } = await place({ permissions });
      expect({ permissions, ...(await hands.gate.command(command)) }).toMatchObject({ permissions, ok: false });
    }
  });

  test.each(harmless)("%s is no alarm", async (command) => {
    for (const permissions of ["ask", "unattended", "allow"] as const) {
      const { hands } = await place({ permissions });
      expect({ permissions, ...(await hands.gate.command(command)) }).toMatchObject({ permissions, ok: true });
    }
  });
});

test.each(["printenv", "env", "jq -n env", "jq -n '$ENV.HOME'", "ps eww", "export -p", "set", "declare -p"])(
  "%s is not known to be read-only",
  async (command) => {
    const { hands } = await place({ permissions: "default" });
    expect(await hands.gate.command(command)).toMatchObject({ ok: false });
  },
);

test("in the sandbox secret files are empty, so nothing is asked", async (context) => {
  if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
  for (const options of [{ writes: "denied" }, { permissions: "sandboxed" }] as const) {
    const { run } = await place(options);
    const seen = await run(
      "grep -rc . . | sort; find . -type f | xargs cat; ls -A | xargs cat; for f in .e*; do cat $f; done",
    );
    expect(seen).toContain("export const KEY");
    expect(seen).toContain("./.env:0");
    for (const secret of [key, "PASSW0RD", "AAAA"]) expect(seen).not.toContain(secret);
  }
});

test("a rule that opens a secret file opens it in the sandbox too", async (context) => {
  if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
  const rules = [{ effect: "allow", path: ".env" }] as const;
  const { run } = await place({ permissions: "sandboxed", rules });
  expect(await run("grep -rc . .")).toContain("./.env:2");
});

test("the agent's terminal has no keys of ours, and the person may add what it needs", async () => {
  const names = ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "DATABASE_URL", "MY_SERVICE"];
  for (const name of names) vi.stubEnv(name, `value-of-${name}`);
  vi.stubEnv("CODEBUFF_VARIABLES", "MY_SERVICE");
  // The login environment is asked for once per process; a process of its own asks anew.
  const script = `
    import { Terminal } from ${JSON.stringify(path.resolve("codebuff/workspace/dist/index.js"))};
    const terminal = new Terminal({ root: process.cwd(), stateDirectory: process.argv[1] });
    console.log((await terminal.runOnce({ command: "printenv; ps eww -p $$" })).stdout);
    await terminal.close();`;
  const state = mkdtempSync(path.join(tmpdir(), "codebuff-variables-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const seen = execFileSync(process.execPath, ["--input-type=module", "-e", script, state], { encoding: "utf8" });
  expect(seen).toContain("value-of-MY_SERVICE");
  for (const name of names.slice(0, 3)) expect(seen).not.toContain(`value-of-${name}`);
  expect(seen).toMatch(/^PATH=/m);
});

test("what tools print is redacted by value, the project's own secrets and ours among them", async () => {
  vi.stubEnv("SOME_API_KEY", "value-of-the-environment");
  const { run, value } = await place({ permissions: "allow" });
  const seen = await run(
    `echo postgres://u:hunter2@h/d ghp_${"a1".repeat(18)} ${key.slice(0, 8)}""${key.slice(8)} value-of-the-""environment; echo ${key.slice(0, 8)}""${key.slice(8)} | base64; printf -- '-----BEGIN RSA PRIVATE KEY-----\\nAAAA\\n-----END RSA PRIVATE KEY-----\\n'`,
  );
  expect(JSON.parse(seen)[0].value.stdout).toMatch(
    /^postgres:\/\/u:\[redacted\]@h\/d \[redacted\] \[redacted\] \[redacted\]\n\S*\[redacted\]\S*\n\[redacted\]\n$/,
  );
  // A file is shown as it is: an edit has to fit it.
  await run("echo 'const url = \"postgres://u:hunter2@h/d\"' >src/b.ts");
  expect(await value("read_files", { paths: ["src/b.ts"] })).toMatchObject([
    { content: expect.stringContaining("hunter2") },
  ]);
});
