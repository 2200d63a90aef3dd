import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../run/run-program.ts";
import { layStart } from "../task/lay-start.ts";
import type { Task } from "../task/task.ts";
import { type Walls, writeConfinedProgram } from "../walls/walls.ts";
import { restoreConfiguration } from "./configuration-files.ts";
import { copyWork } from "./copy-work.ts";
import { stripTypes } from "./strip-types.ts";

/** What the hidden check says of a work tree. */
export interface Verdict {
  readonly passed: boolean;
  /** 0 to 1; of a check that tells no number it is 0 or 1. */
  readonly score: number;
  /** The end of what the check printed. */
  readonly output: string;
  /** Test configuration that was put back, and what was not copied. */
  readonly restored: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Runs the hidden check of a task on a copy of `work`, in `folder`, which is made. The check itself is the suite's own and
 * runs as it is; what the agent wrote runs only through `$TRY`, which sees neither the check nor `$REWARD`.
 */
export async function checkWork(
  task: Task,
  { work, folder, walls }: { work: string; folder: string; walls: Walls },
): Promise<Verdict> {
  const places = { copy: join(folder, "work"), tests: join(folder, "tests"), start: join(folder, "start") };
  await mkdir(folder, { recursive: true });
  try {
    const leftOut = await copyWork(work, places.copy);
    await layStart(task, places.start);
    const restored = await restoreConfiguration(places.copy, { start: places.start, keeps: task.check.keeps });
    await stripTypes(places.copy);
    await cp(join(task.folder, "tests"), places.tests, { recursive: true });
    return { ...(await runCheck(task, { ...places, folder, walls })), restored, leftOut };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface CheckPlaces {
  readonly copy: string;
  readonly tests: string;
  readonly start: string;
  readonly folder: string;
  readonly walls: Walls;
}

async function runCheck(task: Task, { copy, tests, start, folder, walls }: CheckPlaces) {
  const [reward, attempt] = [join(folder, "reward"), join(folder, "try")];
  await writeConfinedProgram(
    attempt,
    ["/usr/bin/env", "-i", `PATH=${process.env.PATH}`, "HOME=/tmp", "LC_ALL=C.UTF-8", "/bin/bash", "-c"],
    {
      walls,
      confined: { root: copy, network: "denied", visible: [] },
    },
  );
  const env = {
    PATH: process.env.PATH,
    HOME: homedir(),
    LC_ALL: "C.UTF-8",
    WORK: copy,
    START: start,
    REWARD: reward,
    TRY: await writeTry(folder, attempt),
  };
  const library = join(tests, "..", "check-words.sh");
  await writeFile(library, checkWords);
  const { code, isLate, output } = await runProgram(["/bin/bash", join(tests, "check.sh")], {
    cwd: tests,
    env: { ...env, BASH_ENV: library },
    timeoutMs: task.check.seconds * 1000,
  });
  if (isLate)
    return { passed: false, score: 0, output: `${output}\nThe check took longer than ${task.check.seconds} s.` };
  const told = await readFile(reward, "utf8").catch(() => undefined);
  const score = told === undefined ? Number(code === 0) : Number(told.trim());
  if (!(score >= 0 && score <= 1))
    throw new Error(`The check of ${task.id} told a reward that is no number from 0 to 1: ${told}`);
  return { passed: code === 0 && score === 1, score: code === 0 ? score : Math.min(score, 0.999), output };
}

/** `$TRY 'a command'` runs in the copy, from its top, and reads nothing from the check's standard input. */
async function writeTry(folder: string, attempt: string): Promise<string> {
  const file = join(folder, "try-in-work");
  await writeFile(file, `#!/bin/bash\nexec '${attempt}' "$1" </dev/null\n`, { mode: 0o755 });
  return file;
}

/** Words for checks in bash. Each says what was expected, and the first that does not hold ends the check. */
const checkWords = `
fail() { echo "not ok: $1" >&2; exit 1; }
# prints <expected> <command>: the command succeeds in the work tree and prints exactly this.
prints() { local seen; seen=$("$TRY" "$2" 2>&1) || fail "$2 failed: $seen"; [ "$seen" = "$1" ] || fail "$2: expected '$1', got '$seen'"; echo "ok: $2"; }
# fails <command>: the command does not succeed in the work tree.
fails() { if "$TRY" "$1" >/dev/null 2>&1; then fail "$1 succeeded"; fi; echo "ok: fails $1"; }
# same <file>: the file is as it was at the start.
same() { cmp -s "$START/$1" "$WORK/$1" || fail "$1 was changed"; echo "ok: same $1"; }
# has <file> <pattern>: an extended pattern stands in the file. lacks: it does not.
has() { [ -f "$WORK/$1" ] && grep -Eq -- "$2" "$WORK/$1" || fail "$1 does not have: $2"; echo "ok: $1 has $2"; }
lacks() { if [ -f "$WORK/$1" ] && grep -Eq -- "$2" "$WORK/$1"; then fail "$1 still has: $2"; fi; echo "ok: $1 lacks $2"; }
`;
