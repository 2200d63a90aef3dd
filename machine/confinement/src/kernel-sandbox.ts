import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { startDetached, startPastSession, systemPath } from "./past-session.ts";
import { quoteForShell } from "./quote-for-shell.ts";
import { sandboxScript } from "./sandbox-script.ts";

interface SandboxWish {
  /** The project; absolute and real. */
  readonly root: string;
  /** What a command may write beside its private /tmp. */
  readonly writes: "project" | "nothing";
  readonly network: "allowed" | "denied";
}

/**
 * Confines commands by the kernel: everything but the project is read-only (or the project too), /tmp is private, other
 * processes cannot be seen or signalled, and there is no network unless wished.
 */
export interface Sandbox {
  readonly by: "namespaces" | "bubblewrap";
  /** The bash text that runs a command in it, from the directory the shell is in. */
  wrap(command: string, wish: SandboxWish): string;
}

const probeLimitMs = 10_000;
let detected: Promise<Sandbox | undefined> | undefined;

/** The sandbox this machine offers, tried out once per process; undefined where the kernel allows none. */
export function detectSandbox(): Promise<Sandbox | undefined> {
  detected ??= detect();
  return detected;
}

async function detect(): Promise<Sandbox | undefined> {
  if (process.platform !== "linux") return undefined;
  for (const by of ["namespaces", "bubblewrap"] as const) {
    const sandbox = await trySandbox(by);
    if (sandbox !== undefined) return sandbox;
  }
  return undefined;
}

/** One kind of sandbox, believed only when it has kept a command from writing, and let it write where it may. */
export async function trySandbox(by: Sandbox["by"]): Promise<Sandbox | undefined> {
  const { program, build } = makers[by];
  const found = systemPath.map((directory) => path.join(directory, program)).find((one) => existsSync(one));
  if (found === undefined) return undefined;
  const start = (await terminalIsSafe()) ? startPastSession : startDetached;
  const sandbox: Sandbox = { by, wrap: (command, wish) => start(`${found} ${build(command, wish)}`) };
  return (await holds(sandbox)) ? sandbox : undefined;
}

const makers = {
  namespaces: { program: "unshare", build: unshareArguments },
  bubblewrap: { program: "bwrap", build: bwrapArguments },
} as const;

/** Where a process may type into its own terminal (before Linux 6.2, or by choice) it would type to the shell outside. */
async function terminalIsSafe(): Promise<boolean> {
  const legacy = await readFile("/proc/sys/dev/tty/legacy_tiocsti", "utf8").catch(() => "1");
  return legacy.trim() === "0";
}

function unshareArguments(command: string, { root, writes, network }: SandboxWish): string {
  const net = network === "denied" ? " --net" : "";
  const words = [sandboxScript, "sandbox", root, writes, homedir(), command].map(quoteForShell).join(" ");
  return `--user --map-current-user --keep-caps --mount --pid --fork --ipc${net} --kill-child -- /bin/sh -p -c ${words}`;
}

function bwrapArguments(command: string, { root, writes, network }: SandboxWish): string {
  const project = quoteForShell(root);
  const secrets = [".ssh", ".gnupg", ".aws", ".kube"].map((name) => path.join(homedir(), name)).filter(existsSync);
  return [
    "--die-with-parent --unshare-all",
    network === "allowed" ? "--share-net" : "",
    "--cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /var/tmp --tmpfs /run",
    ...secrets.map((secret) => `--tmpfs ${quoteForShell(secret)}`),
    `${writes === "project" ? "--bind" : "--ro-bind"} ${project} ${project}`,
    `--chdir "$PWD" -- /bin/bash -c ${quoteForShell(command)}`,
  ].join(" ");
}

async function holds(sandbox: Sandbox): Promise<boolean> {
  const directory = await mkdtemp(path.join(await realpath(tmpdir()), "confinement-"));
  try {
    const probe = (writes: SandboxWish["writes"], command: string) =>
      exitCode(sandbox.wrap(command, { root: directory, writes, network: "denied" }), directory);
    return (await probe("nothing", "touch here 2>/dev/null && exit 1; touch /tmp/there || exit 2; exit 42")) === 42;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function exitCode(command: string, cwd: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = execFile("/bin/bash", ["-c", command], { cwd, timeout: probeLimitMs, killSignal: "SIGKILL" }, () =>
      resolve(child.exitCode ?? undefined),
    );
  });
}
