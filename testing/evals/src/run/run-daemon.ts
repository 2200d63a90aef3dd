import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type SpawnedDaemon, spawn } from "@muster/client/node";
import { readProcessTableNow, sendSignal } from "@muster/node";
import { visibleWithout } from "../walls/visible-without.ts";
import { type Walls, writeConfinedProgram } from "../walls/walls.ts";

export interface RunDaemonOptions {
  /** A folder of this run alone: data, home and work lie in it, and nothing outside of it can be written. */
  readonly folder: string;
  readonly walls: Walls;
  /** The daemon's command. */
  readonly daemon: readonly [string, ...string[]];
  /** Programs of agents that were installed before; shared by all runs. */
  readonly agents: string;
  /** Where agents come from in place of `agents`: `codex=path:<file>`. */
  readonly sources: readonly string[];
  /** What the agent must not see: the suite and the results. */
  readonly hidden: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** By which every process of a run is found, whatever it did to leave its parents. */
const marker = "MUSTER_EVAL_RUN";
const startMs = 120_000;
const endingMs = 30_000;

/** A daemon for one run, behind the kernel's walls where there are any. `end` returns when none of its processes lives. */
export async function startRunDaemon(
  options: RunDaemonOptions,
): Promise<{ daemon: SpawnedDaemon; end(): Promise<void> }> {
  const { folder, walls, agents, env } = options;
  const value = randomBytes(16).toString("hex");
  const data = join(folder, "data");
  await Promise.all([mkdir(data, { recursive: true }), mkdir(join(folder, "home"), { recursive: true })]);
  await symlink(agents, join(data, "agents"));
  const program = join(folder, "daemon");
  const visible = visibleFor(options);
  await writeConfinedProgram(program, options.daemon, {
    walls,
    confined: { root: folder, network: "allowed", visible },
  });
  const daemon = await spawn({
    command: [program],
    dataDirectory: data,
    args: ["--durability", "none", "--no-raw", ...options.sources.flatMap((source) => ["--agent-source", source])],
    env: { ...env, HOME: join(folder, "home"), [marker]: value },
    startMs,
  });
  const end = async () => {
    await daemon.close();
    await endAll(value);
  };
  return { daemon, end };
}

/** The daemon's own files, the agents' programs, and nothing that is hidden. */
function visibleFor({ daemon, agents, sources, hidden }: RunDaemonOptions): string[] {
  const programs = sources.flatMap((source) => /=path:(.+)$/.exec(source)?.[1] ?? []);
  const files = [...daemon, ...programs]
    .filter((word) => word.startsWith("/"))
    .flatMap((file) => [dirname(file), packageRoot(dirname(realpathSync(file)))]);
  return [agents, ...files].flatMap((shown) =>
    hidden.reduce<string[]>((paths, one) => paths.flatMap((path) => visibleWithout(path, one)), [shown]),
  );
}

/** The folder of the repository or the installed package that a program belongs to: its dependencies lie there, too. */
function packageRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    try {
      createRequire(join(at, "x")).resolve("./package.json");
      const above = dirname(dirname(at));
      return above !== at && hasWorkspace(above) ? above : at;
    } catch {
      // No package.json here: it is looked for one level up.
    }
    if (dirname(at) === at) return folder;
  }
}

function hasWorkspace(folder: string): boolean {
  try {
    return "workspaces" in createRequire(join(folder, "x"))("./package.json");
  } catch {
    // No package.json, or one that is none.
    return false;
  }
}

/** Kills what still lives with the marker until nothing does: a process that left its group and its session is found, too. */
async function endAll(value: string): Promise<void> {
  const until = Date.now() + endingMs;
  for (;;) {
    const left = [...readProcessTableNow().values()].filter((entry) => entry.variable(marker) === value);
    if (left.length === 0) return;
    if (Date.now() > until)
      throw new Error(`Processes of a run cannot be ended: ${left.map(({ pid }) => pid).join(", ")}`);
    for (const { pid } of left) sendSignal(pid, "SIGKILL");
    await sleep(20);
  }
}
