import { findWays, isHealthy, type Ways } from "@muster/codebuff-sdk";
import { openWorkspace, runRipgrep, Terminal } from "@muster/codebuff-workspace";
import { paintFor } from "@muster/core";
import { runGit } from "@muster/node";
import { exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";

interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do when it is not good. */
  readonly remedy?: string;
}

/** One line for each thing a run needs: what is found, and what to do where something is missing. */
export async function doctor({ json }: { json?: true }, io: Io): Promise<number> {
  const warnings: string[] = [];
  const ways = await findWays({ env: { ...io.env }, home: io.home, warn: (message) => warnings.push(message) });
  const findings = [
    ...warnings.map((found) => ({ subject: "config", ok: false, found, remedy: "mend or delete that file" })),
    ...checkKeys(ways),
    await checkServer(ways),
    checkModels(ways),
    await checkGit(io),
    await checkRipgrep(io),
    await checkTerminal(io),
    await checkConfinement(io),
  ];
  if (json) io.stdout.write(`${JSON.stringify(findings)}\n`);
  else {
    const paint = paintFor(io.stdout, io.env);
    for (const { subject, ok, found, remedy } of findings) {
      const mark = ok ? paint.green("✓") : paint.red("✗");
      io.stdout.write(`${mark} ${subject.padEnd(9)} ${found}${ok || remedy === undefined ? "" : `: ${remedy}`}\n`);
    }
  }
  return findings.some(({ ok, subject }) => !ok && needed.includes(subject)) ? exitCodes.runError : exitCodes.ok;
}

/** Without these no run can work well; a missing key is fine when another one is there. */
const needed = ["models", "git", "ripgrep", "terminal", "config"];

function checkKeys({ own, missing, subscriptions, credential }: Ways): Finding[] {
  const present = [
    ...own.map(({ name, source, baseUrl }) => `${name} by ${source} at ${baseUrl}`),
    ...subscriptions.map(({ name }) => `${name} subscription`),
  ];
  if (present.length > 0) return present.map((found) => ({ subject: "keys", ok: true, found }));
  if (credential !== undefined) return [{ subject: "keys", ok: true, found: "none of your own; the login is enough" }];
  const names = missing.map(({ reason }) => reason).join(", ");
  return [
    { subject: "keys", ok: false, found: `none (${names})`, remedy: "export a key of your own, or codebuff login" },
  ];
}

async function checkServer({ credential, baseUrl, loginElsewhere }: Ways): Promise<Finding> {
  if (loginElsewhere !== undefined) {
    const found = `${loginElsewhere.source} is for ${loginElsewhere.baseUrl}, not for ${baseUrl}`;
    return { subject: "login", ok: false, found, remedy: `codebuff login --base-url ${baseUrl}` };
  }
  if (credential === undefined) return { subject: "login", ok: true, found: "none; not needed with a key of your own" };
  const found = `key from ${credential.source}, server ${baseUrl}`;
  if (await isHealthy(baseUrl)) return { subject: "login", ok: true, found };
  return {
    subject: "login",
    ok: false,
    found: `${found} does not answer`,
    remedy: "start it, or set CODEBUFF_BASE_URL",
  };
}

function checkModels({ credential, own, subscriptions }: Ways): Finding {
  const count = own.length + subscriptions.length + (credential === undefined ? 0 : 1);
  if (count > 0) return { subject: "models", ok: true, found: "usable; codebuff --list-models lists them" };
  return {
    subject: "models",
    ok: false,
    found: "none can be used",
    remedy: "set a key, codebuff login, or try --demo",
  };
}

async function checkGit(io: Io): Promise<Finding> {
  try {
    const version = await runGit(["--version"], { cwd: io.cwd, timeoutMs: 10_000 });
    return { subject: "git", ok: true, found: version.trim() };
  } catch {
    // Not installed, or it does not start: to a person both are a git that has to be installed.
    return { subject: "git", ok: false, found: "not found", remedy: "install git; undo and diffs need it" };
  }
}

async function checkRipgrep(io: Io): Promise<Finding> {
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line) < 1;
  const { exitCode, stopped } = await runRipgrep({ args: ["--version"], cwd: io.cwd, timeoutMs: 10_000, onLine });
  if (exitCode === 0 || stopped === "enough") return { subject: "ripgrep", ok: true, found: lines[0] ?? "" };
  return { subject: "ripgrep", ok: false, found: "does not run", remedy: "install the package again" };
}

async function checkTerminal(io: Io): Promise<Finding> {
  const terminal = new Terminal({ root: io.cwd });
  try {
    const { stdout, exitCode } = await terminal.run({ command: "echo $BASH_VERSION", timeout_seconds: 20 });
    if (exitCode === 0) return { subject: "terminal", ok: true, found: `bash ${stdout?.trim()}` };
    return {
      subject: "terminal",
      ok: false,
      found: `ended with ${exitCode}`,
      remedy: "look at your shell's start files",
    };
  } catch (error) {
    return { subject: "terminal", ok: false, found: String(error), remedy: "install bash" };
  } finally {
    await terminal.close();
  }
}

async function checkConfinement(io: Io): Promise<Finding> {
  const workspace = await openWorkspace({ root: io.cwd });
  const { confinement } = workspace;
  await workspace.close();
  const found =
    confinement === "kernel"
      ? "PLAN commands run where they cannot write (kernel)"
      : "PLAN runs only commands known to be read-only (table); bubblewrap or user namespaces would allow more";
  return { subject: "plan", ok: true, found };
}
