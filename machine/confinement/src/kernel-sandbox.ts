import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { quoteForShell } from "@muster/core";
import { bubblewrapWords } from "./bubblewrap.ts";
import { guardedGit } from "./guarded-git.ts";
import { type LastWalls, lastWallWords } from "./last-walls.ts";
import { limitWords, tmpSize } from "./limits.ts";
import { startDetached, startPastSession, systemPath } from "./past-session.ts";
import { sandboxScript } from "./sandbox-script.ts";
import { visiblePaths } from "./visible-paths.ts";

export interface SandboxWish {
  /** The project; absolute and real. */
  readonly root: string;
  /** What a command may write beside its private /tmp. */
  readonly writes: "project" | "nothing";
  readonly network: "allowed" | "denied";
  /** Seen beside the system, the project and the programs in PATH; absolute. */
  readonly visible?: readonly string[];
  /** Files that are there and empty; absolute. */
  readonly hidden?: readonly string[];
}

/** A wish with everything a builder needs. */
export interface PlacedWish extends Required<SandboxWish> {
  readonly home: string;
}

/**
 * What a sandbox keeps a command from. `writes`: changing what it may not. `network`: reaching one, unless wished. `sight`:
 * other processes, and directories that were not listed. `sockets`: unix and vsock sockets, which lead past mounts. `pipes`:
 * writing to a pipe where it may not write. `processes` and `memory`: taking all of them.
 */
export const wallNames = ["writes", "network", "sight", "sockets", "pipes", "processes", "memory"] as const;
export type Wall = (typeof wallNames)[number];

/**
 * Confines commands by the kernel: everything but the project is read-only (or the project too) or not there at all, /tmp is
 * private, other processes cannot be seen or signalled, and there is no network unless wished.
 */
export interface Sandbox {
  readonly by: "namespaces" | "bubblewrap";
  /** Those that stand on this machine, each tried out. */
  readonly walls: readonly Wall[];
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
  for (const last of lastWallsInOrder) {
    const wrap: Sandbox["wrap"] = (command, wish) => {
      const placed = placeWish(wish);
      const words = [
        ...lastWallWords(last, wish.writes === "project" ? [wish.root] : []),
        "/bin/bash",
        "-c",
        inOwnTmp(command),
      ];
      return start(build(found, placed, words));
    };
    if (await holds(wrap)) return { by, wrap, walls: wallsOf(last) };
  }
  return undefined;
}

/** A TMPDIR below the machine's /tmp is not in the command's own. */
function inOwnTmp(command: string): string {
  return `[ -d "\${TMPDIR-/}" ] || export TMPDIR=/tmp; ${command}`;
}

/** Each is given up only where the kernel does not have it. */
const lastWallsInOrder: readonly LastWalls[] = [
  { sockets: true, pipes: true },
  { sockets: true, pipes: false },
  { sockets: false, pipes: false },
];

function wallsOf(last: LastWalls): Wall[] {
  const limited = limitWords !== "";
  // The kernel counts the processes of every user but root.
  const isCounted = limited && process.getuid?.() !== 0;
  const stands: Record<Wall, boolean> = {
    writes: true,
    network: true,
    sight: true,
    sockets: last.sockets && lastWallWords(last, []).length > 0,
    pipes: last.pipes && lastWallWords(last, []).length > 0,
    processes: isCounted,
    memory: limited,
  };
  return wallNames.filter((name) => stands[name]);
}

function placeWish(wish: SandboxWish): PlacedWish {
  const home = homedir();
  const searchPath = process.env.PATH ?? "";
  const visible = visiblePaths({ root: wish.root, home, searchPath, more: wish.visible });
  return { ...wish, home, visible, hidden: wish.hidden ?? [] };
}

const makers = {
  namespaces: { program: "unshare", build: unshareWords },
  bubblewrap: { program: "bwrap", build: bubblewrapWords },
} as const;

/** Where a process may type into its own terminal (before Linux 6.2, or by choice) it would type to the shell outside. */
async function terminalIsSafe(): Promise<boolean> {
  const legacy = await readFile("/proc/sys/dev/tty/legacy_tiocsti", "utf8").catch(() => "1");
  return legacy.trim() === "0";
}

function unshareWords(program: string, wish: PlacedWish, command: readonly string[]): string {
  const { root, writes, network, home, visible, hidden } = wish;
  const net = network === "denied" ? " --net" : "";
  const guarded = writes === "project" ? guardedGit(root) : { directories: [], readOnly: [] };
  const counted = (paths: readonly string[]) => [String(paths.length), ...paths];
  const given = [
    "sandbox",
    root,
    writes,
    home,
    tmpSize,
    limitWords,
    ...counted(visible),
    ...counted(hidden),
    ...counted(guarded.directories),
    ...counted(guarded.readOnly),
    ...command,
  ];
  const words = [sandboxScript, ...given].map(quoteForShell).join(" ");
  return `${program} --user --map-current-user --keep-caps --mount --pid --fork --ipc${net} --kill-child -- /bin/sh -p -c ${words}`;
}

async function holds(wrap: Sandbox["wrap"]): Promise<boolean> {
  const directory = await mkdtemp(path.join(await realpath(tmpdir()), "confinement-"));
  try {
    const probe = (writes: SandboxWish["writes"], command: string) =>
      exitCode(wrap(command, { root: directory, writes, network: "denied" }), directory);
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
